"""
title: y[mask] = values, one value for each True
description: >
  A tensor of values fills the places where a mask holds, one after another. There must be as many
  values as places, which only the data can tell; a single value is broadcast.
tags: [torch.data-dependent-shape, torch.unbacked-symbol, torch.mutation]
rewrites: [views/masked_scatter_in_place_of_assignment]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x, values, mask):
        y = x.clone()
        y[mask] = values
        return y * 2


def inputs():
    return torch.randn(5), torch.randn(3), torch.tensor([True, False, True, True, False])


def accepts():
    yield torch.randn(5), torch.randn(3), torch.tensor([False, True, True, False, True])


def rejects():
    yield torch.randn(5), torch.randn(3), torch.tensor([True, False, True, False, False])
    yield torch.randn(5), torch.randn(3), torch.tensor([True, False, True, True, True])
