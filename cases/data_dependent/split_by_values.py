"""
title: split by sizes that are values of a tensor
description: >
  tolist() reads as many numbers as the tensor has elements, each a symbol without a hint. split
  needs them to add up to the length, which the program checks so that it can be reasoned with.
tags: [torch.item, torch.unbacked-symbol, torch.check, torch.view]
requires: [values]
references: [pytorch#117268]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x, lengths):
        a, b, c = lengths.tolist()
        torch._check(a >= 0)
        torch._check(b >= 0)
        torch._check(c >= 0)
        torch._check(a + b + c == x.shape[0])
        first, second, third = torch.split(x, [a, b, c])
        return first.sum(), second * 2, third.sum(0)


def inputs():
    return torch.randn(9, 2), torch.tensor([2, 4, 3])


def accepts():
    yield torch.randn(9, 2), torch.tensor([9, 0, 0])
    yield torch.randn(9, 2), torch.tensor([1, 1, 7])


def rejects():
    yield torch.randn(9, 2), torch.tensor([2, 4, 4])
    yield torch.randn(9, 2), torch.tensor([10, -2, 1])
