"""
title: guard_or_false around a question about an unknown size
description: >
  guard_or_false answers as Python would where the size is known, and False where it is not. That
  is sound here because the general path is right for no rows as well.
tags: [torch.data-dependent-shape, torch.unbacked-symbol, torch.zero-one, torch.guard]
requires: [values]
"""

import torch
from torch.fx.experimental.symbolic_shapes import guard_or_false


class Model(torch.nn.Module):
    def forward(self, x, mask):
        rows = x[mask]
        if guard_or_false(rows.shape[0] == 0):
            return torch.zeros(x.shape[1])
        return (rows * rows).sum(0)


def inputs():
    return torch.randn(5, 3), torch.tensor([True, False, True, True, False])


def accepts():
    yield torch.randn(5, 3), torch.arange(5) == 2
    yield torch.randn(5, 3), torch.zeros(5, dtype=torch.bool)
