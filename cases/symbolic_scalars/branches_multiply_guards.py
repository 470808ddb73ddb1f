"""
title: Guards that multiply with branches on sizes
description: >
  Every if on a size adds a guard, and each fits the branch of the example only: with three of
  them one path out of eight is captured, and the sizes that take it are what is left of the
  range. torch.sym_ite puts each choice into the graph instead.
tags: [torch.sym-scalar, torch.guard, python.control-flow, torch.dim-hint]
dims: {n: {min: 2, max: 32}, m: {min: 2, max: 32}}
rewrites: [symbolic_scalars/branches_as_sym_ite]
errors: [E0103]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x, y):
        n, m = x.shape[0], y.shape[0]
        factor = 1
        if n > 4:
            factor = factor * 2
        if n * m > 40:
            factor = factor * 3
        if (n + m) % 2 == 0:
            factor = factor * 5
        return x.sum() * y.sum() * factor


dynamic_shapes = {"x": {0: Dim.AUTO}, "y": {0: Dim.AUTO}}


def inputs(n=6, m=9):
    return torch.randn(n), torch.randn(m)
