"""
title: Adding the rows that two masks select, with equal numbers checked
description: >
  torch._check says that both masks select equally many rows. The two unknown sizes become one
  symbol, no question about broadcasting is left, and masks that differ are refused at every call.
tags: [torch.data-dependent-shape, torch.unbacked-symbol, torch.check]
requires: [values]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x, y, first, second):
        a, b = x[first], y[second]
        torch._check(a.shape[0] == b.shape[0])
        return a + b


def masks(a, b):
    return torch.tensor(a, dtype=torch.bool), torch.tensor(b, dtype=torch.bool)


def inputs():
    return torch.randn(5, 3), torch.randn(4, 3), *masks([1, 0, 1, 0, 1], [1, 1, 0, 1])


def accepts():
    yield torch.randn(5, 3), torch.randn(4, 3), *masks([0, 1, 0, 1, 0], [1, 1, 0, 0])
    yield torch.randn(5, 3), torch.randn(4, 3), *masks([0, 1, 0, 0, 0], [0, 0, 0, 1])
    yield torch.randn(5, 3), torch.randn(4, 3), *masks([0, 0, 0, 0, 0], [0, 0, 0, 0])


def rejects():
    yield torch.randn(5, 3), torch.randn(4, 3), *masks([1, 0, 1, 0, 1], [1, 1, 0, 0])
    yield torch.randn(5, 3), torch.randn(4, 3), *masks([0, 0, 0, 1, 0], [1, 1, 0, 1])
