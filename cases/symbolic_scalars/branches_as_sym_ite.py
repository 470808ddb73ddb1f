"""
title: Branches on sizes as a product of torch.sym_ite
description: >
  Each condition becomes an expression with two values, so no branch is taken while tracing and one
  graph serves all paths.
tags: [torch.sym-scalar, torch.dim-hint]
dims: {n: {min: 2, max: 32}, m: {min: 2, max: 32}}
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x, y):
        n, m = x.shape[0], y.shape[0]
        factor = torch.sym_ite(n > 4, 2, 1)
        factor = factor * torch.sym_ite(n * m > 40, 3, 1)
        factor = factor * torch.sym_ite((n + m) % 2 == 0, 5, 1)
        return x.sum() * y.sum() * factor


dynamic_shapes = {"x": {0: Dim.AUTO}, "y": {0: Dim.AUTO}}


def inputs(n=6, m=9):
    return torch.randn(n), torch.randn(m)
