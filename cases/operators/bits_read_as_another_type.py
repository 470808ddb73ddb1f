"""
title: Bits of a number read as another type
description: >
  The exponent of a float is taken out of its bits, and bytes are put together to wider numbers.
  A view as another type keeps the bits, a conversion the value.
tags: [torch.operator, torch.dtype, torch.view]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x, raw):
        bits = x.view(torch.int32)
        exponent = ((bits >> 23) & 255) - 127
        halves = x.half().view(torch.int16) & 1023
        flags = raw.any(), raw.all(), raw.any(1), raw.all(1)
        return exponent, halves, raw.view(torch.int16), raw.view(torch.float32), *flags


def inputs():
    return torch.randn(6), torch.arange(16, dtype=torch.uint8).view(2, 8)


def accepts():
    yield torch.tensor([0.5, -1.0, 65536.0, 1e-20, 3.0, -0.0]), torch.full((2, 8), 63).byte()
