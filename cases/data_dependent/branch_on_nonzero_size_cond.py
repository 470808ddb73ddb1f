"""
title: torch.cond on the number of nonzero elements
description: >
  The comparison with the unknown size is the predicate of torch.cond, and both branches take the
  tensor of that size as operand.
tags: [torch.data-dependent-shape, torch.unbacked-symbol, torch.cond]
requires: [values]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        found = x.nonzero().sum(1)
        return torch.cond(found.shape[0] > 2, lambda f: f.sum(), lambda f: f.sum() - 100, (found,))


def inputs():
    return torch.tensor([1, 0, 3, 4, 5])


def accepts():
    yield torch.tensor([0, 0, 0, 0, 0])
    yield torch.tensor([0, 2, 0, 4, 0])
    yield torch.tensor([0, 2, 3, 4, 0])
