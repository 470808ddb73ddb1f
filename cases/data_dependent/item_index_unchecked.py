"""
title: Index read from a tensor, without a check
description: >
  Python's rule that a negative index counts from the end makes indexing depend on the sign of a
  number that nobody knows while tracing. Eager takes indices from -8 to 7 here, and so must a
  capture; others have to be refused.
tags: [torch.item, torch.unbacked-symbol]
requires: [values]
dims: {k: {min: 0, max: 7}}
rewrites: [data_dependent/item_index, data_dependent/index_tensor]
narrower: {data_dependent/item_index: a negative index}
pitfalls: [data_dependent/index_scalar_tensor]
errors: [E0001, E0110]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x, k):
        return x[k.item()]


def inputs(k=4):
    return torch.randn(8, 3), torch.tensor(k)


def accepts():
    yield torch.randn(8, 3), torch.tensor(-1)
    yield torch.randn(8, 3), torch.tensor(-8)


def rejects():
    yield torch.randn(8, 3), torch.tensor(8)
    yield torch.randn(8, 3), torch.tensor(-9)
