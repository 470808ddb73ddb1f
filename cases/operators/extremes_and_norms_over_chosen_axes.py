"""
title: Norms, argmin, std, any and all over chosen dimensions
description: >
  A norm over two of three dimensions, one of order zero or infinity, argmin along a dimension,
  any and all: a backend that mixes up dimensions or orders gives other numbers.
tags: [torch.sweep, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x, counts):
        norm = torch.linalg.vector_norm
        norms = norm(x, 3, (0, 2)), norm(x, float("inf"), 1), norm(x, 0, (1, 2)), norm(x, 1)
        low = norm(x, -float("inf"), 2, keepdim=True), x.norm(dim=(0, 1)), x.norm(p=0.5, dim=0)
        extremes = x.amax((0, 2)), x.aminmax(dim=1), x.argmin(0), x.cummin(2), counts.cummin(0)
        tests = (x > 0).all(1), (x > 0).any(-1), (x > 0).all(), x.count_nonzero((0, 1))
        totals = x.sum(-1), x.sum((-1, 0)), x.mean(-2), x.logsumexp((0, 2)), x.half().mean(1)
        spread = x.std((0, 2)), x.var(1, correction=0), torch.std_mean(x, -1), x.median(1)[0]
        products = counts.cumprod(0), counts.prod(), x.prod(-1), (x > -9).flatten().cumsum(0)
        rows = x[:, 0].sort(1)[0].contiguous()
        found = torch.searchsorted(rows, x[:, 1].contiguous()), x.flatten(1).topk(9, 1)[0]
        return norms, low, extremes, tests, totals, spread, products, found


dynamic_shapes = {"x": {0: Dim("n", min=2, max=64)}, "counts": None}


def inputs(n=7):
    return torch.randn(n, 4, 5), torch.tensor([3, 2, 70000, 2, 2**31, 5])


def accepts():
    yield torch.randn(33, 4, 5), torch.tensor([7, 1, 1, 9, 1, 4])
    yield torch.randn(4, 4, 5).round(), torch.tensor([9, 9, 2, 2, 5, 2])
