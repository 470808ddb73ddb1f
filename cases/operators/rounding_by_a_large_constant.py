"""
title: Rounding by adding a large constant, and a sum that keeps what it lost
description: >
  Adding 1.5 * 2**23 and taking it off again rounds a float32 to an integer, and a compensated sum
  finds by subtraction what an addition lost. In exact arithmetic both come to nothing; whoever
  reorders additions loses them.
tags: [torch.operator, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        rounded = (x * 8 + 12582912.0) - 12582912.0
        total, lost = x[:, 0] * 0 + 1e6, torch.zeros_like(x[:, 0])
        for column in x.unbind(1):
            new = total + column
            lost = lost + (column - (new - total))
            total = new
        return rounded / 8, x * 8 - rounded, lost, (total + lost) - 1e6


dynamic_shapes = {"x": {0: Dim("n", min=1, max=32)}}


def inputs(n=5):
    return (torch.randn(n, 6),)
