"""
title: dtype of sums, means and products of bools and small integers
description: >
  A sum of bool or int8 is an int64 and does not overflow, and so are products and running sums.
  A mean needs floats.
tags: [torch.dtype, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x, flags):
        wide = x.sum(1), x.prod(1), x.cumsum(1), flags.sum(), flags.cumsum(1)
        return wide, x.sum(dtype=torch.float32), x.float().mean(1), x.amax(1), flags + flags


n = Dim("n", min=1, max=16)
dynamic_shapes = {"x": {0: n}, "flags": {0: n}}


def inputs(n=5):
    x = (torch.arange(n * 3).reshape(n, 3) * 37 % 256 - 128).to(torch.int8)
    return x, torch.arange(n * 3).reshape(n, 3) % 2 == 0
