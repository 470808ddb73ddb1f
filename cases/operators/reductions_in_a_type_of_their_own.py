"""
title: sum, prod, mean and norm with dtype=
description: >
  dtype= says in which dtype a reduction is computed and returned. If the result is cast
  afterwards instead, small integers have already wrapped around and halves have overflowed.
tags: [torch.sweep, torch.dtype, torch.dynamic-shape]
tolerance: {rtol: 1.0e-5, atol: 1.0e-5}
"""

import torch
from torch.export import Dim

WIDE = torch.float64


class Model(torch.nn.Module):
    def forward(self, x, small):
        half = (x * 300).half()
        sums = half.sum(1, dtype=torch.float32), small.cumsum(1, dtype=torch.int16), small.sum(0)
        products = small.prod(1, dtype=torch.int32), half.cumprod(1, dtype=WIDE), small.cumprod(1)
        logs = (
            x.log_softmax(1, dtype=WIDE),
            half.softmax(1, dtype=torch.float32),
            half.float().std(),
        )
        norms = torch.linalg.vector_norm(half, dim=1, dtype=torch.float32), x.nansum(1, dtype=WIDE)
        rest = (
            x.mean(1, dtype=WIDE),
            torch.linspace(0, 1, 5, dtype=WIDE),
            half.nanmean(1, dtype=WIDE),
        )
        return sums, products, logs, norms, rest, torch.arange(3, dtype=torch.int16)


n = Dim("n", min=1, max=16)
dynamic_shapes = {"x": {0: n}, "small": {0: n}}


def inputs(n=7):
    return torch.randn(n, 4), (torch.arange(n * 4) * 37 % 120).to(torch.int8).reshape(n, 4)
