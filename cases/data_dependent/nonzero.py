"""
title: Size of the output of nonzero
description: >
  nonzero returns as many rows as there are elements that are not zero: a size without a hint,
  which then appears in every tensor computed from it.
tags: [torch.data-dependent-shape, torch.unbacked-symbol]
requires: [values]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        return x.nonzero() + 1


def inputs():
    return torch.tensor([1, 0, 3, 0, 5])


def accepts():
    yield torch.tensor([0, 0, 0, 0, 0])
    yield torch.tensor([0, 0, 3, 0, 0])
    yield torch.tensor([1, 2, 3, 4, 5])
