"""
title: logical_and, logical_or and count_nonzero of ints and floats
description: >
  Any number but zero counts as True, NaN too. logical_and is no bitwise operator: 1 and 2 are
  both True but have no bit in common.
tags: [torch.dtype, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x, y):
        pairs = torch.logical_and(x, y), torch.logical_or(x, y), torch.logical_xor(x, y)
        return pairs, x.logical_not(), x.any(1), x.all(1), x.any(), x.all(), x.count_nonzero(1)


n = Dim("n", min=1, max=16)
dynamic_shapes = {"x": {0: n}, "y": {0: n}}


def inputs(n=5):
    return torch.arange(n * 3).reshape(n, 3) % 3, (torch.arange(n * 3.0).reshape(n, 3) + 1) % 2


def accepts():
    yield torch.tensor([[1, 2, 0]]), torch.tensor([[2.0, 1.0, float("nan")]])
    yield torch.tensor([[4, 5, 6], [0, 0, 0]]), torch.tensor([[0.0, -0.0, 0.1], [0.0, 2.0, 0.0]])
