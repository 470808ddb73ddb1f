"""
title: index_add with rows found by nonzero
description: >
  Rows that are active are picked, go through a layer and are added back at their places. Indices
  and rows have the same unknown length.
tags: [torch.data-dependent-shape, torch.unbacked-symbol]
requires: [values]
rewrites: [data_dependent/masked_contribution]
"""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        torch.manual_seed(0)
        self.linear = torch.nn.Linear(3, 3)

    def forward(self, x, active):
        rows = active.nonzero().squeeze(1)
        return x.index_add(0, rows, self.linear(x[rows]))


def inputs():
    return torch.randn(5, 3), torch.tensor([1, 0, 1, 1, 0])


def accepts():
    yield torch.randn(5, 3), torch.tensor([0, 0, 0, 0, 0])
    yield torch.randn(5, 3), torch.tensor([0, 0, 0, 0, 1])
    yield torch.randn(5, 3), torch.tensor([1, 1, 1, 1, 1])
