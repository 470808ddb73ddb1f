"""
title: Shapes taken from another tensor, and numbers given their dims
description: >
  reshape_as and expand_as take a shape from a tensor, sum_to_size undoes an expansion, and atleast_1d, atleast_2d and
  atleast_3d give dims to what has fewer, each at another place.
tags: [torch.operator, torch.sweep, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x, offset):
        joined, total = x[:, None].reshape_as(x), x.sum()
        wide = offset.expand_as(x) + x
        back = wide.sum_to_size(1, 3), wide.sum_to_size(3), x[None].sum_to_size(x.shape)
        dims = torch.atleast_1d(total), torch.atleast_2d(offset), torch.atleast_3d(offset)
        return joined, back, dims, torch.atleast_3d(x), torch.atleast_2d(total, x), x.view_as(wide)


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}, "offset": None}


def inputs(n=5):
    return torch.linspace(-1, 2, n * 3).reshape(n, 3), torch.tensor([0.5, -1.0, 2.0])
