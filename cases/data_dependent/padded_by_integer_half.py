"""
title: Half of a number read with item(), divided as an integer
description: >
  n // 2 stays an integer from the tensor to the size, so no float of it has to be rounded.
tags: [torch.item, torch.unbacked-symbol]
requires: [values]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x, n):
        return torch.cat([x, x.new_zeros(n.item() // 2)])


def inputs():
    return torch.randn(3), torch.tensor(5)


def accepts():
    yield torch.randn(3), torch.tensor(8)
    yield torch.randn(3), torch.tensor(7)
    yield torch.randn(3), torch.tensor(1)
    yield torch.randn(3), torch.tensor(0)


def rejects():
    yield torch.randn(3), torch.tensor(-1)
