"""
title: guard_or_false where the two branches differ
description: >
  guard_or_false says False of an unknown size, so only the general path is captured. It is no
  right answer for no rows, where eager takes the other branch: such a capture gives NaN.
tags: [torch.data-dependent-shape, torch.unbacked-symbol, torch.zero-one, torch.guard]
requires: [values]
rewrites: [data_dependent/fallback_chosen_by_where]
breaks_contract: guard_or_false may say False of a size that is 0, and the two branches differ
"""

import torch
from torch.fx.experimental.symbolic_shapes import guard_or_false


class Model(torch.nn.Module):
    def forward(self, x, mask):
        rows = x[mask]
        if guard_or_false(rows.shape[0] == 0):
            return x.mean(0)
        return rows.sum(0) / rows.shape[0]


def inputs():
    return torch.randn(5, 3), torch.tensor([True, False, True, True, False])


def accepts():
    yield torch.randn(5, 3), torch.arange(5) == 2
    yield torch.randn(5, 3), torch.zeros(5, dtype=torch.bool)
