"""
title: searchsorted with side="right" and sorter, isclose with tolerances
description: >
  A value that equals a boundary lies before or behind it, boundaries may come with the order that
  sorts them, indices may be int32, and what counts as close is given by two tolerances.
tags: [torch.sweep, torch.dynamic-shape]
requires: [values]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        marks = torch.tensor([3.0, 1.0, 2.0, 0.0])
        order, sorted_marks = marks.argsort(), marks.sort().values
        places = (
            torch.searchsorted(sorted_marks, x, side="right"),
            torch.searchsorted(marks, x, sorter=order, out_int32=True),
            torch.bucketize(x, sorted_marks, right=True, out_int32=True),
        )
        close = torch.isclose(x, x.round(), rtol=0.0, atol=0.3), x.isclose(x * 1.05, rtol=0.1)
        nan = torch.where(x > 2, torch.nan, x)
        same = torch.isclose(nan, nan, equal_nan=True), torch.isin(x, marks, invert=True)
        few = x.topk(2, 1, largest=False), x.sort(1, descending=True), x.argsort(0, descending=True)
        filled = nan.nan_to_num(nan=-1.0), (x / (x - 1).relu()).nan_to_num(5.0, 7.0, -7.0)
        counts = torch.bincount(x.long().flatten(), weights=x.flatten(), minlength=9)
        return places, close, same, few, filled, counts, x.histc(4, 0.5, 2.5)


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=5):
    return (torch.rand(n, 3).mul(6).round() / 2 + torch.arange(3) / 64,)
