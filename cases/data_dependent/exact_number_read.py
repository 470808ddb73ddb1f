"""
title: Exact numbers read from tensors by item
description: >
  A factor in double precision and an ID of 41 bits are read as Python numbers and used again.
  Numbers that pass through single precision are others.
tags: [torch.item, torch.dtype]
requires: [values]
tolerance: {rtol: 1.0e-12, atol: 1.0e-12}
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x, factor, key):
        number, identity = factor.item(), key.item()
        return x * number, torch.full((2,), identity), x + identity


def inputs():
    return (
        torch.randn(3, dtype=torch.float64),
        torch.tensor(0.1).double() / 3,
        torch.tensor(2**40 + 1),
    )


def accepts():
    wide = torch.tensor([1.0, -2.0, 1e9], dtype=torch.float64)
    yield wide, torch.tensor(1.0 + 1e-12, dtype=torch.float64), torch.tensor(2**25 + 1)
