"""
title: Arithmetic and casts of int8 and bool
description: >
  Arithmetic of int8 stays int8 and wraps around, also with a Python int or a tensor of no
  dimensions; a float makes it float. A cast to fewer values wraps or truncates.
tags: [torch.dtype, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x, flags):
        narrow = x + x, x * 2, -x, x.abs(), x.pow(2), x << 1, ~flags
        mixed = x + 0.5, x * flags, x / 2, x + torch.tensor(300)
        return narrow, mixed, x.to(torch.uint8), (x * 0.7).to(torch.int8), x.bool(), x.double()


n = Dim("n", min=1, max=16)
dynamic_shapes = {"x": {0: n}, "flags": {0: n}}


def inputs(n=5):
    x = (torch.arange(n * 3).reshape(n, 3) * 37 % 256 - 128).to(torch.int8)
    return x, torch.arange(n * 3).reshape(n, 3) % 2 == 0
