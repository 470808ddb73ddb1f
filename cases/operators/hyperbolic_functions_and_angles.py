"""
title: asinh, atanh, sinh, tanh and atan2 near zero and for large numbers
description: >
  Computed by the textbook formulas, these functions lose their digits near zero and overflow for
  large numbers, and the inverse ones lose the sign. atan2 knows the quadrant.
tags: [torch.sweep, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x, y):
        share = y.tanh() * 0.99
        there = x.sinh(), x.cosh(), x.tanh(), x.tan()
        near = (x / 1000).sinh() * 1000, (y / 1000).asinh() * 1000, (share / 1000).atanh() * 1000
        back = y.asinh(), (y * y + 1).acosh(), share.atanh(), share.asin(), share.acos(), y.atan()
        angles = torch.atan2(y, x), torch.atan2(x, y), x.deg2rad(), y.rad2deg(), torch.hypot(x, y)
        logs = (y * y + 1).log10(), (x * x + 1).log2(), x.exp2(), torch.logaddexp2(x, y)
        return there, near, back, angles, logs


n = Dim("n", min=1, max=16)
dynamic_shapes = {"x": {0: n}, "y": {0: n}}


def inputs(n=5):
    return torch.randn(n, 3) * 2, torch.randn(n, 3) * 3


def accepts():
    yield torch.tensor([[0.001, -0.002, 9.0]]), torch.tensor([[-4000.0, 3000.0, -0.003]])
