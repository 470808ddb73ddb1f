"""
title: set of strings in place of a set of objects
description: >
  The names are taken out of the objects before they are counted: strings are compared by value in
  a traced function as anywhere.
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
