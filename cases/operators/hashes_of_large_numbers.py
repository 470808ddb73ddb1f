"""
title: Hashes of IDs in int64 arithmetic
description: >
  A hash multiplies, shifts and mixes until the product overflows and wraps around. A backend that
  computes in 32 bits or in floats gives other hashes.
tags: [torch.sweep, torch.dtype, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, ids, keep):
        mixed = ids * 6364136223846793005 + 1442695040888963407
        mixed = mixed ^ (mixed >> 29)
        chosen = torch.where(keep, mixed, ids), mixed[keep.long()], mixed.flip(0) - ids
        orders = mixed.argsort(), mixed.amax(), mixed.amin(), mixed > ids, mixed == mixed.flip(0)
        sums = mixed.sum(), mixed.cumsum(0), mixed.prod(), mixed.abs() % 1000, mixed // 7
        return chosen, orders, sums, mixed & 1023, torch.stack([mixed, ids]).clone(), -mixed


n = Dim("n", min=2, max=16)
dynamic_shapes = {"ids": {0: n}, "keep": {0: n}}


def inputs(n=5):
    return torch.arange(n) * 12345678912345 + 987654321, torch.arange(n) % 2 == 0


def accepts():
    yield torch.tensor([2**53 + 1, 2**53, 2**31, -(2**62) - 1]), torch.tensor([True, False] * 2)
