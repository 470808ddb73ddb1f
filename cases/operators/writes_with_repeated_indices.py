"""
title: scatter_add, index_add, scatter_reduce and index_put with repeated indices
description: >
  Where an index occurs twice, both values count in a sum, and the larger one in a maximum. A
  kernel that writes instead of adding keeps one of them, which no test with distinct indices
  shows.
tags: [torch.scatter, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x, index):
        rows, zero = index[:, None].expand_as(x), torch.zeros(4, x.shape[1])
        sums = zero.scatter_add(0, rows, x), zero.index_add(0, index, x, alpha=2.0)
        put = zero.index_put((index,), x, accumulate=True)
        most = zero.scatter_reduce(0, rows, x, "amax"), zero.index_reduce(0, index, x, "prod")
        mean = zero.scatter_reduce(0, rows, x, "mean", include_self=False)
        return sums, put, most, mean


n = Dim("n", min=1, max=16)
dynamic_shapes = {"x": {0: n}, "index": {0: n}}


def inputs(n=6):
    return torch.randn(n, 3), torch.arange(n) * 3 % 4


def accepts():
    yield torch.randn(5, 3), torch.tensor([1, 1, 3, 1, 3])
    yield -torch.rand(3, 3), torch.tensor([2, 2, 2])
