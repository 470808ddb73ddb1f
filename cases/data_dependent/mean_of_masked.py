"""
title: Mean of the rows that a mask selects, seen as blocks
description: >
  Selected rows are viewed as blocks of two by three and averaged over their unknown number. The
  view keeps the unknown size and only splits one that is known. Of no rows the mean is NaN.
tags: [torch.data-dependent-shape, torch.unbacked-symbol, torch.view]
requires: [values]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x, mask):
        return x[mask].view(-1, 2, 3).mean(0)


def inputs():
    return torch.randn(5, 6), torch.tensor([True, False, True, True, False])


def accepts():
    yield torch.randn(5, 6), torch.tensor([False, False, False, True, False])
    yield torch.randn(5, 6), torch.ones(5, dtype=torch.bool)
    yield torch.randn(5, 6), torch.zeros(5, dtype=torch.bool)
