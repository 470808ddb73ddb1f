"""
title: Shorter of two sequences padded to the length of the longer
description: >
  The padding is the difference of two dynamic sizes and may be zero. roll, repeat and slices
  depend on both sizes too.
tags: [torch.dynamic-shape, torch.sym-scalar, torch.view]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x, y):
        n, more = x.shape[0], y.shape[0] - x.shape[0]
        same = torch.nn.functional.pad(x, (0, 0, 0, more), value=0.5) + y
        mean = y.sum(0) / (n + more) - x.sum(0) / n
        ranks = torch.arange(n) * 2, torch.zeros(n, 2) + n, x.roll(n // 2, 0)
        return same, mean, ranks, y[n:], x.repeat(2, 1), x[:1].expand(n, 3) * n


n = Dim("n", min=2, max=16)
dynamic_shapes = {"x": {0: n}, "y": {0: Dim("m", min=18, max=40)}}


def inputs(n=7, m=19):
    return torch.randn(n, 3), torch.randn(m, 3)
