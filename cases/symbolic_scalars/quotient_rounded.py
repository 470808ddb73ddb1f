"""
title: round() of a dynamic size divided by a number
description: >
  round() is an operation of its own for a symbolic float, to the nearest integer and half to even
  as in Python.
tags: [torch.dynamic-shape, torch.sym-scalar, python.builtin]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        return x * round(x.shape[0] / 3)


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=5):
    return torch.randn(n, 3)
