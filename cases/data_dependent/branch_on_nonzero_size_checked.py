"""
title: torch._check before a branch on the number of nonzero elements
description: >
  The program promises more than two nonzero elements, so the branch is settled while tracing. The
  promise is an assertion of the graph: inputs with fewer are refused.
tags: [torch.data-dependent-shape, torch.unbacked-symbol, torch.check]
requires: [values]
allow:
  L063: the check before it leaves one side
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        found = x.nonzero().sum(1)
        torch._check(found.shape[0] > 2)
        if found.shape[0] > 2:
            return found.sum()
        return found.sum() - 100


def inputs():
    return torch.tensor([1, 0, 3, 4, 5])


def accepts():
    yield torch.tensor([0, 2, 3, 4, 0])
    yield torch.tensor([1, 2, 3, 4, 5])


def rejects():
    yield torch.tensor([0, 2, 0, 4, 0])
    yield torch.tensor([0, 0, 0, 0, 0])
