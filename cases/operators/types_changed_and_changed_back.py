"""
title: Casts to int, bool and half and back, and dtypes that functions are told
description: >
  A cast to an integer truncates, one to bool asks only for zero, a round trip through fewer bits
  loses some. Factories and reductions may be told what to give.
tags: [torch.sweep, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x, i):
        there = x.int().float(), x.half().float(), x.bfloat16().to(x.dtype), x.double().float()
        whole = (
            (x * 40).to(torch.int8),
            (x * 0.2).bool(),
            x.long(),
            x.to(torch.int16).to(torch.int8),
        )
        typed = (
            x.sum(1, dtype=torch.float64),
            x.softmax(1, dtype=torch.float64),
            i.mean(dtype=x.dtype),
        )
        made = torch.arange(3), torch.arange(1, 2, 0.25), torch.logspace(0, 2, 3, base=3.0)
        exact = torch.full((2,), 16777217.0, dtype=torch.float64), torch.full((2,), 2**53 + 1)
        return there, whole, typed, made, exact, i.type_as(x)


n = Dim("n", min=1, max=16)
dynamic_shapes = {"x": {0: n}, "i": {0: n}}


def inputs(n=5):
    return torch.randn(n, 3), torch.arange(n * 3).reshape(n, 3) - 2
