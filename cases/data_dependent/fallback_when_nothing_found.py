"""
title: Other result when a mask selects nothing
description: >
  The empty case has a result of its own, a mean of everything, that the general path does not
  give. Only a branch that is kept in the graph can be right for both.
tags: [torch.data-dependent-shape, torch.unbacked-symbol, torch.zero-one, python.control-flow]
requires: [values]
rewrites: [data_dependent/fallback_chosen_by_where]
pitfalls: [data_dependent/fallback_guard_or_false, data_dependent/early_return_checked_away]
errors: [E0001]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x, mask):
        rows = x[mask]
        if rows.shape[0] == 0:
            return x.mean(0)
        return rows.sum(0) / rows.shape[0]


def inputs():
    return torch.randn(5, 3), torch.tensor([True, False, True, True, False])


def accepts():
    yield torch.randn(5, 3), torch.arange(5) == 2
    yield torch.randn(5, 3), torch.zeros(5, dtype=torch.bool)
