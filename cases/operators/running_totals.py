"""
title: cumsum, cumprod, cummax, cummin, logcumsumexp and diff
description: >
  Each value depends on all before it, in an order: with dim=-1 along the rows, with flip from the
  end. Of equal maxima cummax gives the index of the last, unlike max.
tags: [torch.sweep, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        totals = x.cumsum(0), x.cumsum(-1), x.cumprod(1), x.logcumsumexp(1), x.flip(0).cumsum(0)
        most = x.cummax(1), x.cummin(0)
        steps = x.diff(dim=1), x.diff(n=2, dim=1), x.diff(dim=0, prepend=x[:1])
        return totals, most, steps, torch.trapezoid(x, dim=1), torch.cumulative_trapezoid(x, dim=1)


dynamic_shapes = {"x": {0: Dim("n", min=1, max=16)}}


def inputs(n=5):
    return (torch.randn(n, 4),)


def accepts():
    yield (torch.tensor([[1.0, 2.0, 2.0, 1.0], [3.0, 2.0, 3.0, 1.0]]),)
