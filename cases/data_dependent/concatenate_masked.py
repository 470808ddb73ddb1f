"""
title: Concatenating the rows that two masks select
description: >
  The result has as many rows as both masks together select: its size is a sum of two symbols, of
  which either may be 0. No relation between the two is needed.
tags: [torch.data-dependent-shape, torch.unbacked-symbol]
requires: [values]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x, y, keep):
        found = torch.cat([x[keep], y[~keep]])
        return found * 2, found.shape[0]


def inputs():
    return torch.randn(5, 3), torch.randn(5, 3), torch.tensor([True, False, True, False, True])


def accepts():
    yield torch.randn(5, 3), torch.randn(5, 3), torch.zeros(5, dtype=torch.bool)
    yield torch.randn(5, 3), torch.randn(5, 3), torch.ones(5, dtype=torch.bool)
    yield torch.randn(5, 3), torch.randn(5, 3), torch.arange(5) == 2
