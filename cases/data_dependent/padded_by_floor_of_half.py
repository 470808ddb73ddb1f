"""
title: math.floor of half a number read with item()
description: >
  n / 2 is a float made of an integer that data decides. Where floor of it becomes a size, the
  condition that the size is not negative has to be written into the graph again.
tags: [torch.item, torch.unbacked-symbol]
requires: [values]
rewrites: [data_dependent/padded_by_integer_half]
errors: [E0019]
"""

import math

import torch


class Model(torch.nn.Module):
    def forward(self, x, n):
        return torch.cat([x, x.new_zeros(math.floor(n.item() / 2))])


def inputs():
    return torch.randn(3), torch.tensor(5)


def accepts():
    yield torch.randn(3), torch.tensor(8)
    yield torch.randn(3), torch.tensor(1)
    yield torch.randn(3), torch.tensor(0)


def rejects():
    yield torch.randn(3), torch.tensor(-1)
