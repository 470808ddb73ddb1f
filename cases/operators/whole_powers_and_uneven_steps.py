"""
title: Whole powers that no float holds, and steps that do not divide
description: >
  Powers of whole numbers are exact far beyond 2**24, what is joined of several types has the widest,
  a step that does not divide the size takes the rest too, and many elements are not zero.
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
