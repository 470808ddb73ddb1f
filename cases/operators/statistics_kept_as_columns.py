"""
title: min, std, norm and nanmean with keepdim and unbiased=False
description: >
  With keepdim a result stays a column and broadcasts along its rows; without correction a
  variance divides by the count itself. In a square batch a lost keepdim gives no error, only
  other numbers.
tags: [torch.operator, torch.dynamic-shape]
tolerance: {rtol: 1.0e-5, atol: 1.0e-5}
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        means = (
            torch.std_mean(x, 1, keepdim=True),
            torch.var_mean(x, 1, unbiased=False, keepdim=True),
        )
        low, high = x.min(1, keepdim=True), x.median(1, keepdim=True)
        scaled = (
            (x - low.values) / x.norm(p=1, dim=1, keepdim=True),
            x / x.norm(dim=1, keepdim=True),
        )
        spread = (
            x.std(1, unbiased=False),
            x.var(0, unbiased=False),
            torch.std_mean(x, 1, unbiased=False),
        )
        kept = x - x.nanmean(1, keepdim=True), x - x.nanmedian(1, keepdim=True).values
        apart = torch.nn.functional.pairwise_distance(x, x.flip(0), keepdim=True) - x
        return means, scaled, spread, kept, apart, x - high.values, (x > 0).all(1, keepdim=True)


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=5):
    return torch.randn(n, 4)


def accepts():
    yield torch.randn(4, 4)
