"""
title: where(x > 0, x, 0) and its kin, which are almost relu, abs, maximum and clamp
description: >
  A comparison with NaN is false, so that the choice gives its other side where relu and maximum
  give NaN. A product with the comparison is NaN for infinity and has the sign of zero; other
  limits make another function.
tags: [torch.sweep, torch.decomposition, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x, y):
        relu = torch.where(x > 0, x, 0.0), x * (x > 0), x.masked_fill(x < 0, 0.0)
        most = torch.where(x > y, x, y), torch.where(x < y, y, x), torch.where(x >= y, y, x)
        sizes = torch.where(x < 0, -x, x), torch.where(x > 0, -x, x), x * x.sign()
        lower = torch.where(x < -1, -1.0, x)
        limits = torch.where(lower > 1, 1.0, lower), torch.where(lower > 1, 2.0, lower)
        leaky = torch.where(x > 0, x, 0.1 * x), torch.maximum(x, 0.1 * x), torch.maximum(x, 2 * x)
        return relu, most, sizes, limits, leaky, (x > y).int() - (x < y).int()


n = Dim("n", min=1, max=16)
dynamic_shapes = {"x": {0: n}, "y": {0: n}}


def inputs(n=5):
    return torch.randn(n, 4), torch.randn(n, 4)


def accepts():
    inf, nan = torch.inf, torch.nan
    yield torch.tensor([[nan, 1.0, -inf, -0.0]]), torch.tensor([[1.0, nan, -inf, 0.0]])
