"""
title: 'Integer overflow: casts, sums and abs that wrap around'
description: >
  A value that does not fit into the dtype wraps around instead of stopping at the largest one: in
  a cast, in arithmetic, in the absolute value of the smallest number, in a sum with a small
  dtype. int8 and uint8 together give int16.
tags: [torch.dtype, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        cast = x.to(torch.int32), x.to(torch.uint8), x.to(torch.int8), x.to(torch.int16)
        small, byte = cast[2], cast[1]
        wrapped = small * 2, small - 100, small.abs(), -small, byte + byte, cast[0] * cast[0]
        summed = x.sum(1, dtype=torch.int8), small.cumsum(1, dtype=torch.int16), byte.prod(1)
        mixed = small + byte, small * byte, byte - small.to(torch.int32), small & (x > 0)
        return wrapped, summed, mixed, cast, small >> 1, byte >> 1, (x > 0) * (x < 100)


dynamic_shapes = {"x": {0: Dim("n", min=1, max=16)}}


def inputs(n=5):
    return (torch.arange(n * 4).reshape(n, 4) * 977 - 2**40 + 128,)


def accepts():
    yield (torch.tensor([[-128, 127, 255, 2**31], [-1, 0, 2**40 + 1, -(2**31) - 1]]),)
