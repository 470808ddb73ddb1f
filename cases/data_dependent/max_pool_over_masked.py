"""
title: Pooling over the elements that a mask selects
description: >
  max_pool1d over an unknown number of elements. The number of windows is a floor division of it,
  and eager refuses fewer elements than a window has.
tags: [torch.data-dependent-shape, torch.unbacked-symbol]
requires: [values]
rewrites: [data_dependent/windows_of_masked]
pitfalls: [data_dependent/max_pool_over_masked_checked]
errors: [E0001]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x, mask):
        chosen = x[:, mask]
        return torch.nn.functional.max_pool1d(chosen, 3, stride=2)


def inputs():
    return torch.randn(2, 9), torch.tensor([1, 0, 1, 1, 1, 0, 1, 1, 1]) == 1


def accepts():
    yield torch.randn(2, 9), torch.arange(9) < 3
    yield torch.randn(2, 9), torch.arange(9) < 4
    yield torch.randn(2, 9), torch.ones(9, dtype=torch.bool)


def rejects():
    yield torch.randn(2, 9), torch.arange(9) < 2
    yield torch.randn(2, 9), torch.zeros(9, dtype=torch.bool)
