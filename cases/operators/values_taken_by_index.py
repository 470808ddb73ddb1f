"""
title: take, gather, index_select and indexing with brackets
description: >
  take sees the tensor as one long row, the others go along one dimension. Indexing with brackets
  takes negative indices as well, counted from the end.
tags: [torch.sweep, torch.scatter, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x, index):
        flat = torch.take(x, index), x[index % x.shape[0] - 1], x[:, -1], x[..., [2, -3]]
        order = x.argsort(1, descending=True)
        along = x.gather(1, order[:, :2]), x.gather(1, order)
        rows = x.index_select(0, index % x.shape[0]), x.narrow(1, 1, 2), x.tensor_split(3, dim=1)
        return flat, along, rows, x.select(1, 1), x.unbind(1)[2]


n = Dim("n", min=1, max=16)
dynamic_shapes = {"x": {0: n}, "index": {0: n}}


def inputs(n=5):
    return torch.randn(n, 4), torch.arange(n)
