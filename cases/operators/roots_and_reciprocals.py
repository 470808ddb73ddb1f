"""
title: sqrt, rsqrt, reciprocal and pow of zero and negative numbers
description: >
  rsqrt(0) is infinite, the square root of a negative number is NaN, and a negative number has
  integer powers but no fractional ones. Rewriting one of these operators as another changes what
  happens at the edges.
tags: [torch.decomposition, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        roots = x.sqrt(), x.rsqrt(), x.reciprocal(), x.pow(0.5), x.pow(-0.5)
        whole = x.square(), x.pow(3), x.pow(-1), x.pow(0), x.float_power(2)
        return roots, whole, torch.pow(2.0, x), torch.pow(x, torch.tensor([1.0, 2.0, 0.5]))


dynamic_shapes = {"x": {0: Dim("n", min=1, max=16)}}


def inputs(n=5):
    return (torch.rand(n, 3) + 0.5,)


def accepts():
    yield (torch.tensor([[0.0, 4.0, 0.25]]),)
    yield (torch.tensor([[-2.0, -0.5, -3.0]]),)
