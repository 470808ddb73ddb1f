"""
title: In-place writes through transposed, reshaped, split and strided views
description: >
  Every view of a table writes into the table: transposed, flattened, split, every second column,
  a view of a view. What is added at an index that occurs twice is added twice.
tags: [torch.sweep, torch.mutation, torch.aliasing, torch.view, torch.scatter]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x, rows):
        table = x.clone()
        table.t()[1] = 7.0
        table.view(-1)[3:5] += 10
        left, right = table.split([2, 4], dim=1)
        right.mul_(2)
        left[1:][1] = -1.0
        table[:, ::2].add_(table[:, 1::2])
        table.unsqueeze(0).transpose(1, 2)[0, 5].fill_(0.5)
        added = torch.zeros_like(x).index_put((rows,), x[:3], accumulate=True)
        part = x.slice_scatter(x[:, :2] * 3, 1, 3, 5), x.select_scatter(x[0, :4], 1, 2)
        places = rows[:, None] + torch.arange(2)
        put = x.scatter(1, places, 1.5), x.scatter_add(1, places, x[:3, :2])
        mean = x.scatter_reduce(1, places, x[:3, 4:], "mean", include_self=False)
        spread = x.repeat_interleave(rows.new_tensor([2, 0, 1, 3]), 0, output_size=6)
        return table, added, part, put, mean, spread, x[:, -9:3], x[-7:-1], x[1:99]


def inputs():
    return torch.randn(4, 6), torch.tensor([0, 2, 0])


def accepts():
    yield torch.arange(24.0).reshape(4, 6), torch.tensor([1, 1, 1])
    yield torch.randn(4, 6) * 100, torch.tensor([3, 0, 2])
