"""
title: remainder by infinity, shifts by many bits and large powers
description: >
  The remainder of a number by infinity is the number itself, if the signs agree. A shift uses all
  bits of its count, and powers are finite nearly to the end of the dtype.
tags: [torch.sweep, torch.dtype, torch.dynamic-shape]
tolerance: {rtol: 0.0001, atol: 0.0001}
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x, far, bits):
        left = torch.remainder(x, far), torch.fmod(x, far), torch.remainder(x, 2.5), x.frac()
        shifts = bits << 12, bits >> 9, bits << (bits % 20), bits >> (bits % 20)
        powers = (x * 20).exp(), (x * 30).exp2(), torch.pow(10.0, x * 9), x.double() ** 21
        lengths = (
            (x * 1e-20).norm(dim=1) * 1e20,
            (x * 1e25).norm(dim=1),
            torch.hypot(x * 1e25, x * 1e25),
        )
        return left, shifts, powers, lengths, torch.copysign(x, far), far.signbit(), x / far


n = Dim("n", min=1, max=16)
dynamic_shapes = {"x": {0: n}, "far": {0: n}, "bits": {0: n}}


def inputs(n=5):
    return torch.randn(n, 3), torch.randn(n, 3), torch.arange(n * 3).reshape(n, 3) * 1000 + 17


def accepts():
    inf = float("inf")
    far = torch.tensor([[inf, -inf, -0.0], [inf, -inf, 0.0]])
    yield (
        torch.tensor([[2.0, -1.5, 3.0], [-2.0, 1.0, -2.9]]),
        far,
        torch.tensor([[-1, 5, 2**40]] * 2),
    )
