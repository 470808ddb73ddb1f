"""
title: scatter_reduce and index_reduce with "mean" and include_self
description: >
  A mean over scattered values includes the value that was there, or leaves it out. Both are asked
  for, along either dimension, and one index gets no value at all.
tags: [torch.operator]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, table, x, places):
        found = []
        for how in "mean", "sum", "prod", "amax", "amin":
            for counted in True, False:
                found += [table.scatter_reduce(1, places, x, how, include_self=counted)]
        rows = torch.tensor([2, 0, 2])
        found += [table.index_reduce(0, rows, x, "mean", include_self=w) for w in (True, False)]
        return found


def inputs():
    places = torch.tensor([[0, 0, 1, 0], [3, 1, 1, 1], [0, 3, 3, 3]])
    return torch.randn(3, 4) + 2, torch.randn(3, 4), places
