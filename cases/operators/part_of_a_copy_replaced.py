"""
title: select_scatter, slice_scatter, diagonal_scatter and masked_scatter
description: >
  These operators replace a part of a tensor in a copy; in-place writes through a view become them
  in a functional graph. The input itself stays as it is.
tags: [torch.sweep, torch.scatter, torch.view, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x, row, mask):
        part = (
            torch.select_scatter(x, row, 0, -1),
            torch.slice_scatter(x, x[:, ::2] * 2, 1, 0, None, 2),
        )
        diagonal = torch.diagonal_scatter(x[:1, :1].expand(3, 3), row[:3], 0)
        filled = x.masked_scatter(mask, x.flip(0)), x.masked_fill(mask, -1.0)
        index = torch.tensor([1, 3])
        rest = (
            x.index_fill(1, index, 5.0),
            x.index_copy(1, index, x[:, :2]),
            x.scatter(1, index[None], 9.0),
        )
        return part, diagonal, filled, rest


n = Dim("n", min=1, max=16)
dynamic_shapes = {"x": {0: n}, "row": None, "mask": {0: n}}


def inputs(n=5):
    return torch.randn(n, 4), torch.randn(4), torch.arange(n * 4).reshape(n, 4) % 3 == 0
