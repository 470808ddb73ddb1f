"""
title: split by values of a tensor, without checks
description: >
  Whether the pieces add up to the length, and that none is negative, is known only when the
  program runs. A capture has to ask at every call. With torch._check before the
  split the program states it.
tags: [torch.item, torch.unbacked-symbol, torch.view]
requires: [values]
references: [pytorch#117268]
rewrites: [data_dependent/split_by_values]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x, lengths):
        first, second, third = torch.split(x, lengths.tolist())
        return first.sum(), second * 2, third.sum(0)


def inputs():
    return torch.randn(9, 2), torch.tensor([2, 4, 3])


def accepts():
    yield torch.randn(9, 2), torch.tensor([9, 0, 0])
    yield torch.randn(9, 2), torch.tensor([1, 1, 7])


def rejects():
    yield torch.randn(9, 2), torch.tensor([2, 4, 4])
    yield torch.randn(9, 2), torch.tensor([10, -2, 1])
