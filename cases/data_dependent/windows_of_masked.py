"""
title: Windows of masked elements by unfold and amax
description: >
  unfold makes a view of all windows of three, and their largest elements are a reduction. The
  number of windows is an expression of the unknown size and is computed at every call.
tags: [torch.data-dependent-shape, torch.unbacked-symbol, torch.check, torch.view]
requires: [values]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x, mask):
        chosen = x[:, mask]
        torch._check(chosen.shape[1] >= 3)
        return chosen.unfold(1, 3, 2).amax(-1)


def inputs():
    return torch.randn(2, 9), torch.tensor([1, 0, 1, 1, 1, 0, 1, 1, 1]) == 1


def accepts():
    yield torch.randn(2, 9), torch.arange(9) < 3
    yield torch.randn(2, 9), torch.arange(9) < 4
    yield torch.randn(2, 9), torch.ones(9, dtype=torch.bool)


def rejects():
    yield torch.randn(2, 9), torch.arange(9) < 2
    yield torch.randn(2, 9), torch.zeros(9, dtype=torch.bool)
