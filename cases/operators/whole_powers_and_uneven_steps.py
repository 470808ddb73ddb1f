"""
title: Integer powers beyond 2**24, and slices with a step that does not divide
description: >
  Powers of integers are exact far beyond 2**24, where floats are not. cat of several dtypes has
  the widest, and a step that does not divide the size takes the remainder too.
tags: [torch.operator, torch.dtype]
requires: [values]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x, y):
        powers = x**3, x**2 + 1, torch.pow(2, x % 40), torch.pow(-1, x)
        steps = y[::5], y[1::4], y[:, -7::3], y[2:11:4, ::5]
        joined = torch.cat([x, y[0]]), torch.stack([x, x.to(torch.int32)]), torch.cat([x > 9, x])
        return powers, steps, joined, y.nonzero(), (y > -9).nonzero(as_tuple=True)[1]


def inputs():
    return torch.arange(12) * 1001 + 7, torch.randn(12, 12)
