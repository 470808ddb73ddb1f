"""
title: Writing selected rows back with index_put
description: >
  out[places] = rows writes as many rows as a mask selected, into a fresh tensor. The number of
  places and of rows is one symbol, the result has a known shape.
tags: [torch.data-dependent-shape, torch.unbacked-symbol, torch.mutation]
requires: [values]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x, mask):
        places = mask.nonzero()[:, 0]
        out = torch.zeros_like(x)
        out[places] = x[mask].cumsum(0)
        return out


def inputs():
    return torch.randn(5, 3), torch.tensor([True, False, True, True, False])


def accepts():
    yield torch.randn(5, 3), torch.zeros(5, dtype=torch.bool)
    yield torch.randn(5, 3), torch.arange(5) == 3
    yield torch.randn(5, 3), torch.ones(5, dtype=torch.bool)
