"""
title: Sum and product of bool masks, and Python numbers with half precision
description: >
  The sum of two masks is a mask again, while sum() of a mask is an integer of 64 bits. A Python
  number leaves the dtype of a half-precision tensor alone and turns an integer tensor into
  floats.
tags: [torch.sweep, torch.dtype, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x, mask):
        masks = mask + mask, mask * (x > 0), mask | (x > 1), mask & mask.flip(0), mask ^ (x > 0)
        totals = (
            mask.sum(),
            mask.sum(1),
            mask.cumsum(1),
            mask.prod(1),
            mask * 2,
            mask / 2,
            mask + 0.5,
        )
        low = x.to(torch.bfloat16)
        half = low + 1.5, low * 0.1, low / 3, 2 - low, low * torch.tensor(2.0), x.half() + mask
        whole = torch.arange(3) * 0.5, torch.arange(3) + torch.tensor(0.5), torch.arange(3) // 2
        return masks, totals, half, whole, low.sum(1), low.mean(1), low.softmax(1)


n = Dim("n", min=1, max=16)
dynamic_shapes = {"x": {0: n}, "mask": {0: n}}


def inputs(n=5):
    return torch.randn(n, 3), torch.arange(n * 3).reshape(n, 3) % 4 < 2
