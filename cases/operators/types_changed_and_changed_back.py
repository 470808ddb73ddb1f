"""
title: Casts to int, bool and half and back, and dtypes of mixed operands
description: >
  A cast to an integer truncates, one to bool asks only for zero, a round trip through fewer bits
  loses some. Sums of small ints are int64, and a Python number decides by its kind, not by its
  size.
tags: [torch.operator, torch.dynamic-shape]
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
        mixed = i * 0.5, i / 2, i + x[:, :1].double(), torch.where(x > 0, i, 0.5), i + True
        point = x.mean().double() + x, i.sum() * x, i + x.sum(), (i > 1) + i, (i > 1) * 2.5
        small = i.to(torch.uint8) - 3, i.to(torch.int8) * 99, i.to(torch.uint8).sum(), (i > 1).sum()
        sums = i.int().cumsum(0), i.int().sum(0), i.to(torch.int8).prod(0), (i > 1).cumsum(0)
        typed = (
            x.sum(1, dtype=torch.float64),
            x.softmax(1, dtype=torch.float64),
            i.mean(dtype=x.dtype),
        )
        made = torch.arange(3), torch.arange(1, 2, 0.25), torch.logspace(0, 2, 3, base=3.0)
        exact = torch.full((2,), 16777217.0, dtype=torch.float64), torch.full((2,), 2**53 + 1)
        places = x.argmax(1), x.nonzero_static(size=4), x.sort(1).indices, x.topk(2, 1).indices
        return there, whole, mixed, point, small, sums, typed, made, exact, places, i.type_as(x)


n = Dim("n", min=1, max=16)
dynamic_shapes = {"x": {0: n}, "i": {0: n}}


def inputs(n=5):
    return torch.randn(n, 3), torch.arange(n * 3).reshape(n, 3) - 2
