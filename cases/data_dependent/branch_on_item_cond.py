"""
title: torch.cond on a value read with item()
description: >
  The comparison with the symbol is the predicate of torch.cond and is answered when the program
  runs.
tags: [torch.item, torch.unbacked-symbol, torch.cond]
requires: [values]
dims: {k: {min: 0, max: 9}}
errors: [E0803, E0806]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x, k):
        return torch.cond(k.item() > 4, lambda x: x + 1, lambda x: x * 100, (x,))


def inputs(k=7):
    return torch.randn(3), torch.tensor(k)
