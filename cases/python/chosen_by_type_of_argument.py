"""
title: Function chosen by the type of its argument (functools.singledispatch)
description: >
  One helper is registered for tensors, one for numbers and one for lists, and Python chooses by the
  class of the argument. While tracing the class is that of the tensor that stands for it.
tags: [python.builtin, python.control-flow]
errors: [E0622]
"""

import functools

import torch
from torch.export import Dim


@functools.singledispatch
def size_of(value):
    return 1


@size_of.register
def _(value: torch.Tensor):
    return value.shape[0]


@size_of.register
def _(value: list):
    return sum(size_of(item) for item in value)


class Model(torch.nn.Module):
    def forward(self, x, y):
        return x * size_of([x, y, 7])


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}, "y": {0: Dim("m", min=2, max=16)}}


def inputs(n=5, m=4):
    return torch.randn(n, 3), torch.randn(m)
