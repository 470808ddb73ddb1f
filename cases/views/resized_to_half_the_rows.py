"""
title: resize_ to half of a dynamic number of rows
description: >
  Two rows are joined into one: resize_ gives the same memory half the rows, each twice as long.
  The new size is arithmetic with the old one, and a view of the result has to go by it.
tags: [torch.mutation, torch.view, torch.dynamic-shape]
rewrites: [views/rows_joined_in_pairs]
errors: [E0616]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        y = x * 2
        y.resize_(x.shape[0] // 2, 8)
        return y.flip(1) + 1


dynamic_shapes = {"x": {0: 2 * Dim("half", min=2, max=8)}}


def inputs(half=3):
    return torch.randn(2 * half, 4)
