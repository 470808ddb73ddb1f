"""
title: dtype of sums and arithmetic of bools and small integers
description: >
  A sum of bool or int8 is an int64 and does not overflow; arithmetic stays in its dtype and wraps
  around. A mean needs floats.
tags: [torch.dtype, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x, flags):
        wide = (
            x.sum(1),
            x.prod(1),
            x.cumsum(1),
            flags.sum(),
            flags.cumsum(1),
            x.sum(dtype=torch.float32),
        )
        narrow = x + x, x * 2, -x, x.abs(), x.pow(2), x << 1, x.amax(1), ~flags
        mixed = x + 0.5, x * flags, x / 2, x + torch.tensor(300), x.float().mean(1), flags + flags
        return (
            wide,
            narrow,
            mixed,
            x.to(torch.uint8),
            (x * 0.7).to(torch.int8),
            x.bool(),
            x.double(),
        )


n = Dim("n", min=1, max=16)
dynamic_shapes = {"x": {0: n}, "flags": {0: n}}


def inputs(n=5):
    x = (torch.arange(n * 3).reshape(n, 3) * 37 % 256 - 128).to(torch.int8)
    return x, torch.arange(n * 3).reshape(n, 3) % 2 == 0
