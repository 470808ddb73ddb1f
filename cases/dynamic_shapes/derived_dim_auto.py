"""
title: Size that is twice another size, found by Dim.AUTO
description: >
  Dim.AUTO leaves it to tracing to find how the two lengths hang together. Slicing with a step
  rounds up, so the program needs no exact double: a y that is one shorter works as well, and
  belongs to what eager accepts.
tags: [torch.derived-dim, torch.dim-hint]
dims: {n: {min: 2, max: 32}}
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x, y):
        return x + y[::2]


dynamic_shapes = {"x": {0: Dim.AUTO}, "y": {0: Dim.AUTO}}


def inputs(n=5):
    return torch.randn(n), torch.randn(2 * n)


def rejects():
    yield torch.randn(5), torch.randn(12)
    yield torch.randn(5), torch.randn(9)
