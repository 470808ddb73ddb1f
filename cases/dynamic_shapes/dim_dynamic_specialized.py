"""
title: Dim.DYNAMIC on a size that the program pins to a constant
description: >
  The program adds a vector of a fixed length, so the size is a constant whatever was asked for.
  Dim.DYNAMIC insists on a symbol and makes this an error; Dim.AUTO would quietly give a constant.
  The program is meant for length 8 alone, so STATIC is the right declaration.
tags: [torch.dim-hint, torch.specialization]
references: [pytorch#137029]
dims: {n: {min: 8, max: 8}}
rewrites: [dynamic_shapes/dim_static]
errors: [E0101]
allow:
  L055: the case is about this collision
  L056: the case is about this collision
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.bias = torch.nn.Parameter(torch.arange(8.0))

    def forward(self, x):
        return x + self.bias


dynamic_shapes = {"x": {0: Dim.DYNAMIC, 1: Dim.DYNAMIC}}


def inputs(n=8):
    return torch.randn(3, n)


def accepts():
    yield torch.randn(2, 8)
    yield torch.randn(5, 8)


def rejects():
    yield torch.randn(3, 7)
