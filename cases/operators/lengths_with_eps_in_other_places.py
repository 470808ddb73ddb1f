"""
title: Rows divided by their length, with eps added, under the root, or as the least
description: >
  F.normalize takes eps for the least length. Added to the length, to the sum of squares, or to
  the mean it gives other numbers for short rows; the length may be that of all rows, or of the
  squares.
tags: [torch.sweep, torch.decomposition, torch.dynamic-shape]
"""

import torch
from torch.export import Dim
from torch.nn import functional as F


class Model(torch.nn.Module):
    def forward(self, x):
        squares = (x * x).sum(-1, keepdim=True)
        length = x.norm(dim=-1, keepdim=True)
        usual = F.normalize(x, dim=-1, eps=1e-2), x / length.clamp(min=1e-2)
        beside = x / (length + 1e-2), x / (squares + 1e-2).sqrt(), x * (squares + 1e-2).rsqrt()
        inverse = x * squares.clamp(min=1e-2).rsqrt(), x / squares.clamp(min=1e-2)
        root = x.pow(2).mean(-1, keepdim=True)
        means = x * (root + 1e-2).rsqrt(), x / (root.sqrt() + 1e-2), x / (x.norm() + 1e-2)
        return usual, beside, inverse, means, F.normalize(x, p=1.0, dim=0)


dynamic_shapes = {"x": {0: Dim("n", min=1, max=16)}}


def inputs(n=5):
    return (torch.randn(n, 3),)


def accepts():
    yield (torch.randn(4, 3) * 1e-2,)
