"""
title: index_fill, put and take with tensors of negative indices
description: >
  A tensor of indices may count from the end where these operators read or write, as an index in
  brackets may: -1 is the last row. gather, scatter, index_select and index_copy refuse such an
  index, and so does draft_export, which runs index_fill by index_copy.
tags: [torch.operator, torch.scatter]
references: [pytorch#73501]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x, index):
        filled = x.index_fill(0, index, -5.0), x.index_fill(1, torch.tensor([-1, 0]), 2.0)
        flat = torch.put(x, index, x[:3, 0] + 10), torch.put(x, index, x[:3, 1], accumulate=True)
        return filled, flat, torch.take(x, index), x.index_put((index,), x[:3] * 2)


dynamic_shapes = {"x": {0: Dim("n", min=4, max=16)}, "index": None}


def inputs(n=5):
    return torch.randn(n, 3), torch.tensor([-1, 1, -3])


def accepts():
    yield torch.randn(7, 3), torch.tensor([-4, -1, 0])
