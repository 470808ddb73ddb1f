"""
title: "Least squares by the pseudoinverse"
description: >
  The fit of a parabola to readings is a product with the pseudoinverse, whose sizes follow from
  those of the input alone. It costs a singular value decomposition.
tags: [torch.operator, torch.dynamic-shape]
tolerance: {rtol: 0.001, atol: 0.001}
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x, y):
        rows = torch.stack([torch.ones_like(x), x, x * x], 1)
        return torch.linalg.pinv(rows) @ y


n = Dim("n", min=6, max=32)
dynamic_shapes = {"x": {0: n}, "y": {0: n}}


def inputs(n=7):
    return torch.linspace(-1, 1, n) + torch.randn(n) / 50, torch.randn(n, 2)
