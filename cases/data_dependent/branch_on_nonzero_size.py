"""
title: Python if on the number of nonzero elements
description: >
  The condition asks for a size that depends on data, and there is no answer while tracing.
  torch.cond keeps both branches; a program that is never called with the other branch can say so
  with torch._check.
tags: [torch.data-dependent-shape, torch.unbacked-symbol, python.control-flow]
requires: [values]
references: [pytorch#157355, pytorch#147096]
rewrites: [data_dependent/branch_on_nonzero_size_cond, data_dependent/branch_on_nonzero_size_checked]
narrower:
  data_dependent/branch_on_nonzero_size_checked: a tensor with two nonzero elements or fewer
pitfalls: [data_dependent/fallback_guard_or_false]
errors: [E0001]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        found = x.nonzero().sum(1)
        if found.shape[0] > 2:
            return found.sum()
        return found.sum() - 100


def inputs():
    return torch.tensor([1, 0, 3, 4, 5])


def accepts():
    yield torch.tensor([0, 0, 0, 0, 0])
    yield torch.tensor([0, 2, 0, 4, 0])
    yield torch.tensor([0, 2, 3, 4, 0])
