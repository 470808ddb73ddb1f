"""
title: Running sums, triangles and scattered values, written over the tensor
description: >
  cumsum_ and cumprod_ read what they have just overwritten, tril_ and triu_ write nothing but zeros, and the
  scattering forms write a few places of a tensor that the caller keeps.
tags: [torch.mutation, torch.operator, torch.sweep, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x, places):
        rows, columns, low, high, table, chosen, kept, norms = x.unbind(1)
        rows.cumsum_(-1), columns.cumprod_(0), low.tril_(-1), high.triu_(1)
        table.scatter_add_(1, places, rows)
        chosen.scatter_reduce_(1, places, columns, "amax", include_self=False)
        kept.index_reduce_(0, places[0, :1], rows[:1], "mean")
        norms.renorm_(2, 0, 1.5).masked_scatter_(low > 0, high)
        return table + chosen, kept, x.sum(1)


dynamic_shapes = {name: {0: Dim("n", min=4, max=16)} for name in ("x", "places")}


def inputs(n=5):
    places = torch.tensor([[1, 0, 2, 1], [3, 3, 0, 1]]).repeat(n, 1)[:n]
    return torch.linspace(-1, 2, n * 32).reshape(n, 8, 4), places
