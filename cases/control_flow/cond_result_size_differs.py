"""
title: torch.cond branches that keep different numbers of rows
description: >
  One branch keeps two rows, the other four. The rank agrees and the size may not, so the size of
  the result is a symbol that only the data decides, between the two. What follows has to work for
  such a size; a mean does.
tags: [torch.cond, torch.unbacked-symbol, torch.dynamic-shape]
requires: [values]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        def few(x):
            return x[:2] + 1

        def more(x):
            return x[:4] * 2

        kept = torch.cond(x.sum() > 0, few, more, (x,))
        return kept, kept.mean(0)


dynamic_shapes = {"x": {0: Dim("n", min=5, max=16)}}


def inputs(n=6):
    return torch.rand(n, 3)


def accepts():
    yield -torch.rand(6, 3)
    yield -torch.rand(9, 3)
