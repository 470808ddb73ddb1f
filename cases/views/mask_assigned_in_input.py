"""
title: x[mask] = 2 on the input itself
description: >
  The number goes into the caller's tensor wherever the mask holds. No size depends on data, since
  it is one number for all places.
tags: [torch.mutation]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x, mask):
        x[mask] = 2
        return x.sum(0)


def inputs():
    return torch.randn(4, 3), torch.tensor([True, False, True, False])


def accepts():
    yield torch.randn(4, 3), torch.zeros(4, dtype=torch.bool)
    yield torch.randn(4, 3), torch.ones(4, dtype=torch.bool)
    yield torch.randn(4, 3), torch.tensor([False, False, False, True])
