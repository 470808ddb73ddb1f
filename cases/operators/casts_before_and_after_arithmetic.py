"""
title: Casts before and after a product, a sum or a mean
description: >
  A cast to whole numbers takes away what follows the point, so it matters on which side of the
  product it stands. Halves that are added up as they are round, bytes wrap, and a mean of whole
  numbers is of the type that it was told.
tags: [torch.sweep, torch.dtype, torch.decomposition, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x, level):
        whole = (x * 3).int(), x.int() * 3, (x + 0.5).int(), x.int() + 0.5, x.floor().int()
        totals = x.int().sum(1), x.sum(1).int(), x.long().amax(1), x.int().float().mean(1)
        h = x.half()
        half = (h * 3).float(), (x * 3).half().float(), h.sum(1).float(), h.float().sum(1)
        levels = (level + level).int(), level.int() + level, (level * 2).float() - 128
        turned = x.int().neg().abs(), (level > 3).float() * level, level.sub(level.flip(1)).float()
        return whole, totals, half, levels, turned, x.abs().to(torch.uint8) // 2


n = Dim("n", min=1, max=16)
dynamic_shapes = {"x": {0: n}, "level": {0: n}}


def inputs(n=5):
    return torch.randn(n, 4) * 5, torch.randint(256, (n, 4), dtype=torch.uint8)


def accepts():
    yield torch.tensor([[2.5, -2.5, 0.75, 100.5]]), torch.tensor([[0, 255, 128, 3]]).byte()
