"""
title: Matrix products that are added, subtracted or scaled, with a row or a column
description: >
  Two products with one factor in common could be one, on the side on which it stands. What is
  added to a product is a bias if it is a row, and not if it is a column, of three dimensions, or
  the product itself.
tags: [torch.sweep, torch.decomposition, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x, a, b, bias):
        common = x @ a + x @ b, a @ x.mT + b @ x.mT, x @ a - x @ b, x @ a + x[:1] @ b, a @ b + b @ a
        row, column = x @ a + bias, x @ a + x[:, :1]
        scaled = 2 * (x @ a) + 3 * bias, (x @ a + bias) * 2, x @ a * x[:, :1]
        chained = x @ a @ b, x @ (a @ b), x @ (a + b), (x @ a).relu() @ b, x @ a + x
        minus = bias - x @ a, x @ a - bias, x - x @ a, torch.sub(x @ a, bias, alpha=0.5)
        return common, row, column, scaled, chained, minus, x @ a + bias[:, None, None]


dynamic_shapes = {"x": {0: Dim("n", min=1, max=16)}, "a": None, "b": None, "bias": None}


def inputs(n=5):
    return torch.randn(n, 4), torch.randn(4, 4), torch.randn(4, 4), torch.randn(4)
