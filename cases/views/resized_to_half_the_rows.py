"""
title: resize_ to half of a dynamic number of rows
description: >
  Two rows are joined into one: resize_ gives the same memory half the rows, each twice as long.
  Where an element lies then is arithmetic with a quotient of the size, and an odd last row is cut.
tags: [torch.mutation, torch.view, torch.dynamic-shape]
rewrites: [views/rows_joined_in_pairs]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        y = x * 2
        y.resize_(x.shape[0] // 2, 8)
        return y.flip(1) + 1


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=7):
    return torch.randn(n, 4)
