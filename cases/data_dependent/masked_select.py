"""
title: masked_select
description: >
  The output has as many elements as the mask has True. When only a result over all of them is
  wanted, the mask can be applied with torch.where instead, at a size that is known.
tags: [torch.data-dependent-shape, torch.unbacked-symbol]
requires: [values]
rewrites: [data_dependent/masked_select_where]
errors: [E0706]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        return torch.masked_select(x, x > 0).sum()


def inputs():
    return torch.tensor([1.0, -2.0, 3.0, -4.0, 5.0])


def accepts():
    yield torch.full((5,), -1.0)
    yield torch.tensor([-1.0, -2.0, 3.0, -4.0, -5.0])
    yield torch.ones(5)
