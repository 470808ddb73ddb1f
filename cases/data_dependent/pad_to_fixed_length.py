"""
title: Padding an unknown number of rows to a fixed length
description: >
  Selected rows are padded with zeros up to eight, so that what follows has a known shape. The
  padding is eight minus the unknown number, and the result still carries a size that tracing sees
  as a sum, u + (8 - u).
tags: [torch.data-dependent-shape, torch.unbacked-symbol]
requires: [values]
rewrites: [data_dependent/rows_sorted_to_front]
"""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        torch.manual_seed(0)
        self.weight = torch.nn.Parameter(torch.randn(8))

    def forward(self, x, mask):
        rows = x[mask]
        padded = torch.nn.functional.pad(rows, (0, 0, 0, 8 - rows.shape[0]))
        return self.weight @ padded


def inputs():
    return torch.randn(8, 3), torch.tensor([1, 0, 1, 1, 0, 1, 1, 0]) == 1


def accepts():
    yield torch.randn(8, 3), torch.zeros(8, dtype=torch.bool)
    yield torch.randn(8, 3), torch.arange(8) == 6
    yield torch.randn(8, 3), torch.ones(8, dtype=torch.bool)
