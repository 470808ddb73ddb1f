"""
title: statically_known_true around a question about an unknown size
description: >
  statically_known_true is True only where tracing can prove the statement, and adds no guard. The
  shortcut is taken for sizes that are known to be 0, and otherwise left away.
tags: [torch.data-dependent-shape, torch.unbacked-symbol, torch.zero-one, torch.guard]
requires: [values]
"""

import torch
from torch.fx.experimental.symbolic_shapes import statically_known_true


class Model(torch.nn.Module):
    def forward(self, x, mask):
        rows = x[mask]
        if statically_known_true(rows.shape[0] == 0):
            return torch.zeros(x.shape[1])
        return (rows * rows).sum(0)


def inputs():
    return torch.randn(5, 3), torch.tensor([True, False, True, True, False])


def accepts():
    yield torch.randn(5, 3), torch.arange(5) == 2
    yield torch.randn(5, 3), torch.zeros(5, dtype=torch.bool)
