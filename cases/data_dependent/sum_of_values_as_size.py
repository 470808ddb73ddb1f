"""
title: Size that is a sum of two values of a tensor
description: >
  tolist() gives two symbols, and a tensor is made with as many columns as both together. Adding
  and removing a dimension, and asking for contiguous memory, must not ask how large the sum is.
tags: [torch.item, torch.unbacked-symbol, torch.check, torch.view]
requires: [values]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, counts):
        a, b = counts.tolist()
        torch._check(a >= 0)
        torch._check(b >= 0)
        row = torch.arange(a + b).unsqueeze(0).unsqueeze(-1)
        return row.expand(3, a + b, 2).contiguous() + a


def inputs():
    return torch.tensor([4, 5])


def accepts():
    yield torch.tensor([0, 7])
    yield torch.tensor([0, 0])
    yield torch.tensor([1, 0])


def rejects():
    yield torch.tensor([4, -1])
