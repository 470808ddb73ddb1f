"""
title: Indexing with a tensor of one element in place of item()
description: >
  A tensor with a dimension as index is looked up when the program runs, with the same rule for
  negative numbers and the same check of the bounds. No number leaves the tensor.
tags: [torch.item]
dims: {k: {min: 0, max: 7}}
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x, k):
        return x[k.reshape(1)].squeeze(0)


def inputs(k=4):
    return torch.randn(8, 3), torch.tensor(k)


def accepts():
    yield torch.randn(8, 3), torch.tensor(-1)
    yield torch.randn(8, 3), torch.tensor(-8)


def rejects():
    yield torch.randn(8, 3), torch.tensor(8)
    yield torch.randn(8, 3), torch.tensor(-9)
