"""
title: 'Constants that differ only in dtype: double, complex and integer zeros'
description: >
  Filter coefficients are kept in double precision as a plain attribute, a phase is a complex
  number, and zeros of two dtypes start a sum and a count. A capture that takes equal constants
  for one constant mixes up their dtypes.
tags: [torch.dtype, torch.complex]
"""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.coefficients = torch.tensor([1 / 3, 1e-9, 0.1], dtype=torch.float64)

    def forward(self, x):
        filtered = (x.double().unfold(-1, 3, 1) * self.coefficients).sum(-1)
        turned = x.to(torch.complex64) * (0.6 + 0.8j)
        start, count = torch.zeros(3), torch.zeros(3, dtype=torch.int64)
        total, seen = start + x.sum(-1), count + (x > 0).sum(-1)
        swapped = torch.cat([x[:, 3:], x[:, :3]], 1)
        return filtered, turned, total, seen, start, count, swapped


def inputs():
    return (torch.randn(3, 7),)
