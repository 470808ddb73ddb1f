"""
title: Counting objects by their names in a set
description: >
  What makes two groups equal is taken out of them before they are counted: strings are compared
  by value in a traced function as anywhere.
tags: [python.data-structure]
"""

import torch


class Group:
    def __init__(self, name):
        self.name = name


class Model(torch.nn.Module):
    def forward(self, x):
        groups = Group("encoder"), Group("decoder"), Group("encoder")
        return x / len({group.name for group in groups})


def inputs():
    return torch.randn(5)
