"""
title: sort, argsort, max and topk where values are equal
description: >
  A stable sort keeps the order of equal values, max and argmax give the index of the first of
  them, and NaN counts as the largest. A kernel that sorts otherwise gives the right values with
  wrong indices.
tags: [torch.sweep, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        sorted_rows = (
            x.sort(dim=1, stable=True),
            x.sort(dim=0, descending=True, stable=True),
            x.msort(),
        )
        best = (
            x.argmax(1),
            x.argmin(1),
            x.argmax(),
            x.max(1),
            x.min(0),
            x.argsort(dim=1, stable=True),
        )
        return sorted_rows, best, x.topk(2, 1).values, x.topk(3, 1, largest=False).values


dynamic_shapes = {"x": {0: Dim("n", min=1, max=16)}}


def inputs(n=5):
    return (torch.arange(n * 4.0).reshape(n, 4) * 7 % 5,)


def accepts():
    yield (torch.tensor([[1.0, float("nan"), 1.0, 0.0], [2.0, 2.0, -1.0, 2.0]]),)
