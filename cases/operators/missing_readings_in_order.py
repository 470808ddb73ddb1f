"""
title: NaN in sort, topk, unique, cummax and count
description: >
  NaN sorts as the largest value, each NaN is a unique value of its own, and a running maximum
  stays NaN once it has met one. A kernel that compares with < alone loses NaN or puts it
  anywhere.
tags: [torch.sweep, torch.data-dependent-shape]
requires: [values]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        ranks = x.sort(1), x.sort(1, descending=True).values, x.topk(2, 1).values, x.kthvalue(2, 1)
        middle = x.median(1), x.nanmedian(1).values, x.argmax(1), x.argmin(), x.max(0), x.min(1)
        running = x.cummax(1), x.cummin(0), x.amax(1), x.amin(), x.clamp(-1, 1), x.cumsum(1)
        values, places, counts = x.unique(return_inverse=True, return_counts=True)
        return (
            ranks,
            middle,
            running,
            values,
            places,
            counts,
            x.unique_consecutive(),
            x.isnan().sum(0),
        )


def inputs():
    return torch.randn(4, 5)


def accepts():
    nan = float("nan")
    x = torch.tensor([[1.0, nan, -2.0, 1.0, 0.5], [nan, nan, 3.0, -1.0, 2.0]])
    yield torch.cat([x, torch.tensor([[-4.0, -3.0, nan, -6.0, -5.0], [nan] * 5])])
