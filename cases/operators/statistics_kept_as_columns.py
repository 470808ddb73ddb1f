"""
title: min, std, norm and nanmean with keepdim
description: >
  With keepdim a result stays a column and broadcasts along its rows. In a square batch a lost
  keepdim gives no error, only other numbers.
tags: [torch.sweep, torch.dynamic-shape]
tolerance: {rtol: 1.0e-5, atol: 1.0e-5}
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        means = torch.std_mean(x, 1, keepdim=True)
        low, middle = x.min(1, keepdim=True), x.median(1, keepdim=True)
        scaled = (x - low.values) / x.norm(p=1, dim=1, keepdim=True)
        unit = x / x.norm(dim=1, keepdim=True)
        kept = x - x.nanmean(1, keepdim=True), x - x.nanmedian(1, keepdim=True).values
        apart = torch.nn.functional.pairwise_distance(x, x.flip(0), keepdim=True) - x
        return means, scaled, unit, kept, apart, x - middle.values, (x > 0).all(1, keepdim=True)


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=5):
    return torch.randn(n, 4)


def accepts():
    yield torch.randn(4, 4)
