"""
title: Whether any or all are true, asked by a sum, a product, a mean or a maximum
description: >
  A sum that is positive says that some are true; of signed numbers it says nothing, of bytes it
  may wrap to nought, and a mean of one is all. Over an empty row each answer has its own value.
tags: [torch.sweep, torch.decomposition, torch.dtype, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x, mask):
        some = mask.sum(1) > 0, mask.sum(0) > 1, mask.any(1), x.sum(1) > 0, (x > 0).sum(1) > 0
        every = mask.float().mean(1) == 1, mask.all(0), mask.sum(1) == mask.shape[1]
        wrapped = mask.to(torch.uint8).mul(64).sum(1, dtype=torch.uint8) > 0, mask.long().argmax(1)
        none = ~mask.any(1), (~mask).all(1), (~mask).any(1), x.count_nonzero(1) == 0
        same = (x == x.flip(1)).all(1), (x - x.flip(1)).sum(1) == 0, x.prod(1) != 0
        return some, every, wrapped, none, same, mask.any() & (x > 0).all()


n = Dim("n", min=1, max=16)
dynamic_shapes = {"x": {0: n}, "mask": {0: n}}


def inputs(n=5):
    return torch.randn(n, 4), torch.arange(n * 4).view(n, 4) % 3 > 0


def accepts():
    yield torch.tensor([[1.0, -1.0, 2.0, -2.0], [0.0, 3.0, 3.0, 0.0]]), torch.ones(2, 4).bool()
    yield torch.zeros(2, 4), torch.tensor([[True, False, False, False], [False] * 4])
