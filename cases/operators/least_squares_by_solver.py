"""
title: "Least squares with torch.linalg.lstsq"
description: >
  The solver has four outputs, some of them empty: residuals are given where there are more
  equations than unknowns, and the rank by some drivers alone. Their sizes hang on the driver and
  the rank, which is data. The rewrite multiplies with the pseudoinverse.
tags: [torch.operator, torch.dynamic-shape]
tolerance: {rtol: 0.001, atol: 0.001}
requires: [values]
rewrites: [operators/least_squares_by_pseudoinverse]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x, y):
        rows = torch.stack([torch.ones_like(x), x, x * x], 1)
        return torch.linalg.lstsq(rows, y).solution


n = Dim("n", min=6, max=32)
dynamic_shapes = {"x": {0: n}, "y": {0: n}}


def inputs(n=7):
    return torch.linspace(-1, 1, n) + torch.randn(n) / 50, torch.randn(n, 2)
