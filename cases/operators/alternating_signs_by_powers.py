"""
title: Alternating signs by powers of -1 and of other negative integers
description: >
  The sign of a cofactor is -1 to the power of row plus column, a tensor of integers to the power
  of another. By way of logarithms a negative base has no power at all.
tags: [torch.dtype, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x, base):
        at = torch.arange(4)
        sign = torch.full((4, 4), -1) ** (at[:, None] + at)
        digits = base[:, None] ** at
        return x * sign, digits, (x[:, 0] * digits).sum(1), (-base) ** 3


n = Dim("n", min=1, max=16)
dynamic_shapes = {"x": {0: n}, "base": {0: n}}


def inputs(n=5):
    return torch.randn(n, 4, 4), -3 - torch.arange(n)
