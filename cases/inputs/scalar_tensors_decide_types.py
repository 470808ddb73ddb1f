"""
title: Types where tensors without dims meet others
description: >
  A tensor without dims gives way to one with dims of the same kind of number, whatever their
  widths, and a plain number gives way to both. A float without dims turns whole numbers into its
  own type.
tags: [torch.operator, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x, whole, scale, count):
        single = x * scale, x + count, x / scale, x - 1, torch.add(x, scale, alpha=2)
        exact = whole * scale, whole + count, whole / count, whole * 2.5, whole // count
        flags = (x > scale) + count, (x > 0) * scale, (whole > 1).sum(), (x > 0) + 0.5
        return single, exact, flags, torch.where(x > 0, x, scale), torch.stack((scale, scale * 2))


n = Dim("n", min=1, max=16)
dynamic_shapes = {"x": {0: n}, "whole": {0: n}, "scale": None, "count": None}


def inputs(n=5):
    scale, count = torch.tensor(1.1, dtype=torch.float64), torch.tensor(3, dtype=torch.int64)
    return torch.randn(n), torch.arange(n, dtype=torch.int16) - 2, scale, count
