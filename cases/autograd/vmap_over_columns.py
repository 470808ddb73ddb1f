"""
title: torch.vmap over another dimension, in_dims and out_dims
description: >
  The function is mapped over the columns of x with the same y for all, and its results become
  columns again. The number of columns is dynamic.
tags: [torch.functional-transform, torch.dynamic-shape]
rewrites: [autograd/columns_by_broadcasting]
errors: [E0303]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x, y):
        def weigh(column, y):
            return column.softmax(0) * y.sum()

        return torch.vmap(weigh, in_dims=(1, None), out_dims=1)(x, y)


dynamic_shapes = {"x": {1: Dim("n", min=2, max=16)}, "y": None}


def inputs(n=5):
    return torch.randn(3, n), torch.randn(4)
