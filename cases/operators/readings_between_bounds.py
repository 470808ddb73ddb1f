"""
title: Several comparisons of one tensor with < and <=
description: >
  Each band has a lower and an upper bound, so comparisons of the same tensor with different
  numbers follow each other, some including the bound and some not.
tags: [torch.operator, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        low, middle = x <= -0.5, (x > -0.5) & (x < 0.25)
        high = (x >= 0.25) & ~(x > 1.5)
        outside = (x < -2).logical_or(x > 1.5).logical_xor(x == 0)
        return low, middle, high, outside, (x != 1).sum(), torch.where(x.lt(0), x.ge(-1), x.le(1))


dynamic_shapes = {"x": {0: Dim("n", min=2, max=64)}}


def inputs(n=8):
    return (torch.linspace(-2.5, 2.5, 5 * n)[::5].clone(),)


def accepts():
    yield (torch.tensor([-2.0, -1.0, -0.5, 0.0, 0.25, 1.0, 1.5, 2.0]),)
