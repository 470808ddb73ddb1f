"""
title: copy[..., index] = update
description: >
  Columns named by a tensor of indices are replaced in a copy, whatever the leading dimensions are.
  An index may be negative, and one that is out of bounds is refused.
tags: [torch.mutation, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x, index, update):
        copy = x.clone()
        copy[..., index] = update
        return copy


n = Dim("n", min=2, max=9)
dynamic_shapes = {"x": {0: n}, "index": None, "update": {0: n}}


def inputs(n=5):
    return torch.randn(n, 3, 7), torch.tensor([6, 2]), torch.randn(n, 3, 2)


def accepts():
    yield torch.randn(4, 3, 7), torch.tensor([0, -2]), torch.randn(4, 3, 2)


def rejects():
    yield torch.randn(4, 3, 7), torch.tensor([0, 7]), torch.randn(4, 3, 2)
