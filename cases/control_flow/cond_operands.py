"""
title: torch.cond with several operands of different sizes
description: >
  Each branch gets all operands and may use any of them. The operands have dynamic sizes of their
  own; only the results of the branches must agree in shape.
tags: [torch.cond, torch.dynamic-shape]
requires: [values]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x, y, z):
        def use_y(x, y, z):
            return x * y.sum()

        def use_z(x, y, z):
            return x - z.mean()

        return torch.cond(x.sum() > 0, use_y, use_z, (x, y, z))


n = Dim("n", min=2, max=16)
m = Dim("m", min=2, max=16)
dynamic_shapes = {"x": {0: n}, "y": {0: m}, "z": None}


def inputs(n=5, m=7):
    return torch.rand(n), torch.randn(m), torch.randn(3)


def accepts():
    yield -torch.rand(5), torch.randn(7), torch.randn(3)
    yield -torch.rand(9), torch.randn(4), torch.randn(3)
