"""
title: Indexing with a boolean mask
description: >
  x[mask] keeps the rows where the mask is True; how many there are is a size without a hint. The
  selected rows go through a layer like any other batch.
tags: [torch.data-dependent-shape, torch.unbacked-symbol]
requires: [values]
dims: {n: {min: 2, max: 16}}
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(3, 4)

    def forward(self, x, mask):
        return self.linear(x[mask])


rows = Dim.DYNAMIC
dynamic_shapes = {"x": {0: rows}, "mask": {0: rows}}


def inputs(n=5):
    return torch.randn(n, 3), torch.arange(n) % 2 == 0


def accepts():
    yield torch.randn(5, 3), torch.zeros(5, dtype=torch.bool)
    yield torch.randn(5, 3), torch.tensor([False, False, True, False, False])
    yield torch.randn(5, 3), torch.ones(5, dtype=torch.bool)
