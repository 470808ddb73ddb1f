"""
title: A set of objects whose class defines __eq__
description: >
  Objects that are equal, as their class says, count once in a set. A tracer that compares them by
  identity counts each.
tags: [python.data-structure]
references: [pytorch#186669]
"""

import torch
from torch.export import Dim


class Key:
    def __init__(self, name):
        self.name = name

    def __eq__(self, other):
        return self.name == other.name

    def __hash__(self):
        return hash(self.name)


class Model(torch.nn.Module):
    def forward(self, x):
        names = {Key("a"), Key("b"), Key("a")}
        return x * len(names)


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=5):
    return torch.randn(n)
