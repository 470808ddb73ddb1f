"""
title: The same function of the same tensors in another order
description: >
  A sum is the same either way round, a difference, a quotient, a power, a product of matrices and
  a choice are not. A table of calls that are already made must not sort their operands.
tags: [torch.sweep, torch.decomposition, torch.dynamic-shape]
"""

import torch
from torch.nn import functional as F


class Model(torch.nn.Module):
    def forward(self, x, y):
        pairs = x - y, y - x, x / y, y / x, x.abs() ** y, y ** x.abs(), x @ y, y @ x, x < y, y < x
        more = torch.atan2(x, y), torch.atan2(y, x), x.fmod(y), y.fmod(x), x // y
        chosen = torch.where(x > 0, x, y), torch.where(x > 0, y, x)
        joined = torch.cat([x, y]), torch.cat([y, x]), torch.stack([x, y]), torch.stack([y, x])
        layers = F.linear(x, y), F.linear(y, x), F.kl_div(x, y), F.kl_div(y, x)
        parts = x[0].outer(y[0]), y[0].outer(x[0]), torch.addmm(x, x, y), torch.addmm(x, y, x)
        return pairs, more, chosen, joined, layers, parts


def inputs():
    return torch.randn(4, 4), torch.rand(4, 4) + 0.5
