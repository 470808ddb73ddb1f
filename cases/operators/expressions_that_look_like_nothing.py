"""
title: 'x * 0, x - x and x / x: simplifications that NaN and infinity forbid'
description: >
  Each expression has a shorter form that is right for most numbers: x == x, the square root of a
  square, exp of log, the negation of a comparison. For zero, negative numbers, infinities or NaN
  the shorter form is wrong.
tags: [torch.sweep, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        none = x * 0, x - x, x / x, x + 0.0, 0.0 - x, x * 1
        same = x == x, x != x, torch.where(x == x, x, -7.0)
        root = (x * x).sqrt(), x.pow(2).sqrt(), x.log().exp(), x.exp().log(), x.reciprocal() * x
        turned = ~(x < 1), (x > 1).logical_not(), torch.where((x <= 1).logical_not(), x, 2.0)
        bounded = torch.minimum(torch.maximum(x, x * 0 + 1), x * 0 - 1), (x.abs() - 1).relu()
        order = x + x.flip(1) + x.roll(1, 1), x - (x - x.flip(1)), x / x.flip(1), x * 0.1 * 10.0
        mixed = x.flip(1) + x * x.roll(1, 1), (x + 1e8) - 1e8, -x.neg(), x.angle()
        return none, same, root, turned, bounded, order, mixed


dynamic_shapes = {"x": {0: Dim("n", min=1, max=16)}}


def inputs(n=5):
    return (torch.randn(n, 4),)


def accepts():
    nan, inf = float("nan"), float("inf")
    yield (torch.tensor([[0.0, -0.0, nan, inf], [-inf, 1.0, -1.0, 3.0]]),)
    yield (torch.tensor([[1e30, -1e30, 1.0, 1e-30], [3e38, 1.0, 3e38, -3e38]]),)
