"""
title: Index tensors with a slice between them move their axis to the front
description: >
  `x[rows, :, columns]` picks pairs, as `x[:, rows, columns]` does. Where a slice stands between the two,
  the axis of the pairs comes first, whatever stood there, and next to each other they leave it in its
  place. Indices may count from the end, come twice, and broadcast against each other.
tags: [torch.operator, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x, rows, columns):
        pairs = x[rows, :, columns]
        grid = x[rows[:, None], :, columns]
        later = x[None, rows, :, columns]
        return pairs, grid, later, x[:, columns, columns], x[..., rows, columns]


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}, "rows": None, "columns": None}


def inputs(n=5):
    return torch.randn(n, 6, 4), torch.tensor([0, -1, 0]), torch.tensor([1, -2, 1])


def accepts():
    yield torch.randn(3, 6, 4), torch.tensor([2, 1, -3]), torch.tensor([0, 0, 3])
