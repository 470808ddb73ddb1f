"""
title: torch.cond that returns an int to index with
description: >
  Both branches return a Python int, and the one that is chosen picks a row. The two ints differ,
  so the result of the cond is a symbol and the index is not known while tracing.
tags: [torch.cond, torch.unbacked-symbol]
requires: [values]
rewrites: [data_dependent/where_chooses_index]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        row = torch.cond(x.sum() > 0, lambda: 2, lambda: 5)
        return x[row] * 3


def inputs():
    return torch.randn(6, 3).abs()


def accepts():
    yield -torch.randn(6, 3).abs()
