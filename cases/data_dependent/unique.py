"""
title: torch.unique
description: >
  The number of different values is a size without a hint, shared by the values and their counts.
  Multiplying the two is possible only because they are known to be equally long.
tags: [torch.data-dependent-shape, torch.unbacked-symbol]
requires: [values]
references: [pytorch#134081]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        values, counts = torch.unique(x, return_counts=True)
        return values * counts


def inputs():
    return torch.tensor([3, 1, 3, 2, 1, 3])


def accepts():
    yield torch.tensor([7, 7, 7, 7, 7, 7])
    yield torch.tensor([1, 2, 3, 4, 5, 6])
