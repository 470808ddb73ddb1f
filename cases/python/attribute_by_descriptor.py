"""
title: Attribute of a module that a descriptor computes
description: >
  A class attribute with __get__ answers when the attribute is read: here with a number that depends
  on another attribute of the instance. A tracer must call it and not read the instance alone.
tags: [python.attribute, torch.module]
"""

import torch
from torch.export import Dim


class Doubled:
    def __init__(self, name):
        self.name = name

    def __get__(self, owner, kind=None):
        return self if owner is None else 2 * getattr(owner, self.name)


class Model(torch.nn.Module):
    twice = Doubled("width")

    def __init__(self):
        super().__init__()
        self.width = 7

    def forward(self, x):
        self.__dict__["twice_seen"] = 0  # an attribute of the instance beside it
        return x * self.twice + self.width


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=5):
    return torch.randn(n, 3)
