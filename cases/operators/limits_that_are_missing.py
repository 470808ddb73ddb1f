"""
title: clamp with NaN as a bound, erfinv at one, linspace of ints, and bucketize
description: >
  A bound that is NaN makes the result NaN; erfinv goes to infinity at one; linspace of whole
  numbers cuts off, where rounding would give others.
tags: [torch.sweep, torch.dtype]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x, low, share):
        bounded = x.clamp(min=low), torch.maximum(x, low), x.clamp(max=low), torch.minimum(low, x)
        steps = torch.linspace(0, 5, 4, dtype=torch.int64), torch.linspace(-7, 2, 5).to(x.dtype)
        table = torch.arange(3.0)
        between = (
            torch.bucketize(low, table),
            torch.searchsorted(table, x),
            torch.lcm(*steps[:1] * 2),
        )
        return bounded, (2 * share - 1).erfinv() * 2**0.5, steps, between


def inputs():
    low = torch.tensor([0.5, torch.nan, -1.0, torch.nan])
    return torch.randn(4), low, torch.tensor([0.5, 0.001, 0.9999, 1.0])
