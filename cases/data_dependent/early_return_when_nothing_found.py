"""
title: Early return when a mask selects nothing
description: >
  A shortcut for the empty case asks whether the unknown number of rows is 0. The general path
  would give the same for no rows; guard_or_false leaves the shortcut out of the capture.
tags: [torch.data-dependent-shape, torch.unbacked-symbol, torch.zero-one, python.control-flow]
requires: [values]
rewrites: [data_dependent/early_return_guard_or_false, data_dependent/early_return_statically_known]
pitfalls: [data_dependent/early_return_checked_away]
errors: [E0001]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x, mask):
        rows = x[mask]
        if rows.shape[0] == 0:
            return torch.zeros(x.shape[1])
        return (rows * rows).sum(0)


def inputs():
    return torch.randn(5, 3), torch.tensor([True, False, True, True, False])


def accepts():
    yield torch.randn(5, 3), torch.arange(5) == 2
    yield torch.randn(5, 3), torch.zeros(5, dtype=torch.bool)
