"""
title: clamp, nan_to_num or where before a logarithm, root or quotient, and after it
description: >
  A limit before the function keeps it from what it cannot take, one after it limits the result.
  Moved to the other side of a rising function the limit is another number, and NaN is met or
  avoided.
tags: [torch.sweep, torch.decomposition, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x, y):
        log = x.clamp(min=0.1).log(), x.log().clamp(min=0.1), torch.where(x > 0, x.log(), 0.0)
        root = x.relu().sqrt(), x.sqrt().relu(), torch.where(x > 0, x, 1.0).sqrt(), x.abs().sqrt()
        rest = (x / y).nan_to_num(posinf=9.0), x.nan_to_num() / y, torch.where(y != 0, x / y, 0.0)
        power = x.clamp(-1, 1).exp(), x.exp().clamp(-1, 1), x.clamp(max=1).square()
        sums = x.clamp(min=0).sum(1), x.sum(1).clamp(min=0), (x + y).relu(), x.relu() + y.relu()
        return log, root, rest, power, sums, (x * 3).clamp(0, 1), x.clamp(0, 1) * 3


n = Dim("n", min=1, max=16)
dynamic_shapes = {"x": {0: n}, "y": {0: n}}


def inputs(n=5):
    return torch.randn(n, 4), torch.randn(n, 4)


def accepts():
    yield torch.tensor([[0.0, -0.0, -4.0, 2.0]]), torch.tensor([[0.0, 1.0, 0.0, -0.0]])
