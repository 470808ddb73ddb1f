"""
title: guard_or_true before work that never does harm
description: >
  Sorting is skipped for a single element. Sorting it anyway changes nothing, so guard_or_true may
  answer the question with True where the size is unknown: the capture always sorts.
tags: [torch.data-dependent-shape, torch.unbacked-symbol, torch.guard]
requires: [values]
"""

import torch
from torch.fx.experimental.symbolic_shapes import guard_or_true


class Model(torch.nn.Module):
    def forward(self, x, mask):
        found = x[mask]
        if guard_or_true(found.shape[0] > 1):
            found = found.sort().values
        return found * 2


def inputs():
    return torch.randn(7), torch.tensor([1, 0, 1, 1, 0, 1, 0]) == 1


def accepts():
    yield torch.randn(7), torch.ones(7, dtype=torch.bool)
    yield torch.randn(7), torch.arange(7) == 5
    yield torch.randn(7), torch.zeros(7, dtype=torch.bool)
