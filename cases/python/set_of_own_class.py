"""
title: set of objects whose class defines __eq__ and __hash__
description: >
  Groups are told apart by name, through __eq__ and __hash__, so a set holds each name once. A
  tracer that compares such objects by identity counts two that are equal as two, and divides by
  too much. A set of the names avoids the question.
tags: [python.data-structure]
references: [pytorch#186669]
rewrites: [python/set_of_names]
"""

import torch


class Group:
    def __init__(self, name):
        self.name = name

    def __eq__(self, other):
        return self.name == other.name

    def __hash__(self):
        return hash(self.name)


class Model(torch.nn.Module):
    def forward(self, x):
        groups = {Group("encoder"), Group("decoder"), Group("encoder")}
        return x / len(groups)


def inputs():
    return torch.randn(5)
