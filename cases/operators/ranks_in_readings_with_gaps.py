"""
title: quantile, nanquantile, median and kthvalue, by every interpolation and with NaN
description: >
  Between two values a quantile is the lower, the higher, the nearest, the midpoint or a weighted
  mean. With a NaN among the values the plain forms are NaN, and those named nan skip it.
tags: [torch.sweep]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        q = torch.tensor([0.0, 0.3, 0.65, 1.0])
        gaps = torch.where(x > 1, torch.nan, x)
        kinds = "linear", "lower", "higher", "nearest", "midpoint"
        plain = [torch.quantile(x, q, dim=1, interpolation=kind) for kind in kinds]
        passed = [torch.nanquantile(gaps, q, dim=0, interpolation=kind) for kind in kinds]
        kept = torch.quantile(x, 0.4, dim=0, keepdim=True), torch.nanquantile(gaps, 0.6)
        middle = x.median(1, keepdim=True), gaps.median(0).values, gaps.nanmedian(0).values
        rank = x.kthvalue(2, 0, keepdim=True), torch.nanmean(gaps, 1), gaps.nansum(1, True)
        return plain, passed, kept, middle, rank


def inputs():
    return (torch.randn(5, 6),)


def accepts():
    yield (torch.randn(5, 6) - 9,)
