"""
title: scatter_reduce mean of ints, index_reduce, two lists of indices, masked_fill
description: >
  A mean of negative ints is rounded down and not towards zero, index_reduce keeps the least, two
  lists of indices pick pairs and no rectangle, and a mask is filled with a fraction.
tags: [torch.sweep, torch.scatter, torch.operator]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, counts, x):
        at = torch.tensor([0, 0, 1, 1, 2])
        mean = torch.zeros(3, dtype=torch.int64).scatter_reduce(
            0, at, counts, "mean", include_self=False
        )
        least = torch.zeros(3, 4).index_reduce(0, at, x, "amin")
        first = torch.ones(3, 4).index_reduce(0, at, x, "amin", include_self=False)
        pairs = x[torch.tensor([0, 2, 4]), torch.tensor([3, 1, 0])]
        filled = x.masked_fill(x > 0, 0.5), x.masked_fill(x < 0, torch.tensor(-2.75))
        return mean, least, first, pairs, filled


def inputs():
    return torch.tensor([-1, -2, 4, -7, 3]), torch.randn(5, 4)
