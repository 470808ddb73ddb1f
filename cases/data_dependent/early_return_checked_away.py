"""
title: torch._check in front of an early return for nothing found
description: >
  The check settles the question, by refusing the very input that the shortcut was written for.
  Here eager refuses it too, so nothing is silently wrong, but an empty selection can no longer be
  served.
tags: [torch.data-dependent-shape, torch.unbacked-symbol, torch.check]
requires: [values]
rewrites: [data_dependent/early_return_guard_or_false, data_dependent/early_return_statically_known]
allow:
  L063: the check before it leaves one side
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x, mask):
        rows = x[mask]
        torch._check(rows.shape[0] != 0)
        if rows.shape[0] == 0:
            return torch.zeros(x.shape[1])
        return (rows * rows).sum(0)


def inputs():
    return torch.randn(5, 3), torch.tensor([True, False, True, True, False])


def accepts():
    yield torch.randn(5, 3), torch.arange(5) == 2


def rejects():
    yield torch.randn(5, 3), torch.zeros(5, dtype=torch.bool)
