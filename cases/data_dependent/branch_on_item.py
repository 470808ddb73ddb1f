"""
title: Python if on a value read with item()
description: >
  The condition compares a symbol that has no hint, so there is no answer to give while tracing.
  torch.cond takes the comparison itself and keeps both branches.
tags: [torch.item, torch.unbacked-symbol, python.control-flow]
requires: [values]
references: [pytorch#173915]
dims: {k: {min: 0, max: 9}}
rewrites: [data_dependent/branch_on_item_cond]
pitfalls: [data_dependent/fallback_guard_or_false]
errors: [E0001]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x, k):
        if k.item() > 4:
            return x + 1
        return x * 100


def inputs(k=7):
    return torch.randn(3), torch.tensor(k)
