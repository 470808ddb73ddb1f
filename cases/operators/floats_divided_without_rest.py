"""
title: Floor division, remainder and fmod of floats
description: >
  1.0 // 0.1 is 9, because 0.1 is a little more than a tenth; rounding the quotient down would
  give 10. fmod has the sign of the dividend and remainder that of the divisor. Zero by zero is
  NaN, and a number by infinity leaves all of it.
tags: [torch.operator, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x, y):
        down = x // 0.1, x // y, torch.div(x, y, rounding_mode="floor"), torch.floor_divide(x, y)
        left = x % 0.1, torch.remainder(x, y), torch.fmod(x, y), torch.fmod(x, -2)
        cut = torch.div(x, y, rounding_mode="trunc"), x / y, 1.0 % y, torch.remainder(x, torch.inf)
        return down, left, cut


n = Dim("n", min=1, max=16)
dynamic_shapes = {"x": {0: n}, "y": {0: n}}


def inputs(n=5):
    return torch.arange(n * 2.0).reshape(n, 2) * 0.5 - 2, torch.full((n, 2), 0.1)


def accepts():
    yield torch.tensor([[1.0, -1.0], [0.3, 0.0]]), torch.tensor([[0.1, 0.1], [-0.1, 0.0]])
    yield torch.tensor([[5.0, -5.0], [0.0, 3.0]]), torch.tensor([[torch.inf] * 2, [-torch.inf] * 2])
