"""
title: index_* and scatter_* functions along the last dimension
description: >
  Along the first dimension an index is a row number, and much of what these functions do wrong
  with the others does not show. The last dimension is named from the end, and parts are also
  taken with a step and from the end.
tags: [torch.sweep, torch.scatter]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x, places):
        index = torch.tensor([3, 0, 3])
        part = x[:, :3] * 2
        added = x.index_add(1, index, part, alpha=-2), x.index_add(-1, index, part)
        copied = x.index_copy(-1, index[:2], part[:, :2]), x.index_fill(-1, index, 0.5)
        reduced = x.index_reduce(-1, index, part, "mean"), x.index_reduce(1, index, part, "amax")
        chosen = x.index_select(-1, index), x.take_along_dim(places, -1), x.take_along_dim(index)
        scattered = x.scatter_add(-1, places, part), x.scatter_reduce(-1, places, part, "prod")
        sliced = x.slice_scatter(part[:, :2], -1, -4, None, 2), x.select_scatter(x[:, 0], -1, -2)
        return added, copied, reduced, chosen, scattered, sliced


def inputs():
    return torch.randn(6, 5), torch.tensor([[4, 0, 4], [2, 2, 1]]).repeat(3, 1)
