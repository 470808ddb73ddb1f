"""
title: Indexing with an integer tensor of no dimensions
description: >
  x[k] with a tensor k of no dimensions looks like a lookup in tensors, but Python indexing turns
  such a k into a number, as item() would. An index with one dimension stays a tensor.
tags: [torch.item, torch.unbacked-symbol]
requires: [values]
dims: {k: {min: 0, max: 7}}
references: [pytorch#182345]
rewrites: [data_dependent/index_tensor]
errors: [E0001, E0002, E0007, E0609]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x, k):
        return x[k]


def inputs(k=4):
    return torch.randn(8, 3), torch.tensor(k)


def accepts():
    yield torch.randn(8, 3), torch.tensor(-1)
    yield torch.randn(8, 3), torch.tensor(-8)


def rejects():
    yield torch.randn(8, 3), torch.tensor(8)
    yield torch.randn(8, 3), torch.tensor(-9)
