"""
title: Quotients of quotients, remainders of remainders, and shifts there and back
description: >
  Two whole divisions are one by the product, if both round the same way. A remainder of a
  remainder is one only if the divisors divide, a quotient and a remainder belong together only
  with one rounding, and a shift loses bits.
tags: [torch.sweep, torch.decomposition, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x, y):
        trunc = [x.div(d, rounding_mode="trunc") for d in (2, 3, 4)]
        twice = x // 2 // 3, trunc[0] // 3, x.div(2) // 3, x // 2 * 2, x * 2 // 2, x * 3 // 2
        rest = x % 6 % 3, x % 4 % 3, x.fmod(4) % 3, (x % 6) // 2, x // 6 % 2, (x + 6) % 6, x % -4
        whole = x // 3 * 3 + x % 3, trunc[1] * 3 + x % 3, trunc[2] * 4 + x.fmod(4), x - x // 3 * 3
        bits = x >> 2 << 2, x << 2 >> 2, x & 6 & 3, (x | 6) & 3, x ^ 5 ^ 5, ~x + 1, (x >> 1) // 2
        return twice, rest, whole, bits, y // 0.5 * 0.5, y - y.floor(), y.frac()


n = Dim("n", min=1, max=16)
dynamic_shapes = {"x": {0: n}, "y": {0: n}}


def inputs(n=9):
    return torch.arange(n) * 5 - 11, torch.randn(n) * 3


def accepts():
    yield torch.tensor([-7, -1, 0, 5, 2**62]), torch.tensor([-0.25, 0.0, 2.75, -3.0, 1e8])
