"""
title: Trigonometric and hyperbolic functions with their inverses
description: >
  Each is a kernel of its own that a backend has or has not. atan2 must tell the quadrants apart,
  where the sign of a zero counts, and the inverses are NaN outside of their domain.
tags: [torch.sweep, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x, y):
        circle = x.sin(), x.cos(), x.tan(), x.asin(), x.acos(), x.atan()
        hyperbola = x.sinh(), x.cosh(), x.tanh(), x.asinh(), (x.abs() + 1).acosh(), x.atanh()
        return circle, hyperbola, torch.atan2(y, x), torch.hypot(x, y), x.deg2rad(), x.rad2deg()


n = Dim("n", min=1, max=16)
dynamic_shapes = {"x": {0: n}, "y": {0: n}}


def inputs(n=5):
    return torch.rand(n, 3) - 0.5, torch.randn(n, 3)


def accepts():
    yield torch.tensor([[0.0, -0.0, 0.9]]), torch.tensor([[-0.0, 0.0, -2.0]])
    yield torch.tensor([[1.5, -1.0, -3.0]]), torch.tensor([[0.5, -0.5, 3.0]])
