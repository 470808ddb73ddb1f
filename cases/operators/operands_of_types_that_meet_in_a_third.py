"""
title: Two operands whose common dtype is neither of theirs
description: >
  float16 with bfloat16 gives float32, complex64 with float64 gives complex128, uint8 with int8 gives int16. The larger
  of a whole number and a fraction is a fraction, and a mask of 32 bits is widened before it meets 64 bits.
tags: [torch.operator, torch.dtype, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x, count):
        half, brain, double = x.to(torch.float16), x.to(torch.bfloat16), x.to(torch.float64)
        wave, small = torch.complex(x, -x), count.to(torch.int8)
        floats = half + brain, brain * half, half - double, torch.complex(x, x) * double
        waves = wave + double, torch.maximum(count, x), torch.minimum(x, count)
        bits = count.to(torch.int32) & (count + 2**33), small * count.to(torch.uint8)
        return floats, waves, bits, torch.stack([small, count]), torch.where(x > 0, half, brain)


dynamic_shapes = {name: {0: Dim("n", min=1, max=16)} for name in ("x", "count")}


def inputs(n=5):
    return torch.linspace(-2, 2.1, n * 3).reshape(n, 3), torch.arange(n * 3).reshape(n, 3) % 7
