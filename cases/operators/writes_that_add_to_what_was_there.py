"""
title: index_put with accumulate, index_add with alpha, scatter_reduce with include_self
description: >
  accumulate adds where an index occurs twice, alpha scales what is added, include_self=False
  leaves out the value that was there, and a diagonal or a strided part has its offset.
tags: [torch.sweep, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x, i):
        rows = x.index_put((i,), x * 2, accumulate=True), x.index_add(0, i, x, alpha=0.5)
        flat = x.put(i, x[:, 0], accumulate=True), x.clone().index_put_((i, i % 3), x[:, 1], True)
        column = i[:, None].expand(-1, 3)
        without = (
            x.index_reduce(0, i, x, "mean", include_self=False),
            x.scatter_reduce(0, column, x * 2, "amax", include_self=False),
            x.scatter_reduce(0, column, x * 2, "prod"),
        )
        scattered = x.scatter_add(0, column, x), x.scatter(0, column, x, reduce="add")
        changed = x.clone().add_(x, alpha=3).sub_(x, alpha=0.5)
        part = (
            torch.as_strided(x.clone(), (2, 2), (3, 1), 1),
            x[:2].diagonal_scatter(x[:2, 0], offset=1),
        )
        return rows, flat, without, scattered, changed, part


n = Dim("n", min=2, max=16)
dynamic_shapes = {"x": {0: n}, "i": {0: n}}


def inputs(n=5):
    return torch.randn(n, 3) + 2, torch.arange(n) // 2
