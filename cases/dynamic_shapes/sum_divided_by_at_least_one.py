"""
title: Sum divided by the number of rows, at least one
description: >
  The sum of no rows is zero, and the larger of their number and one is never zero. If tracing
  takes a symbolic size to be at least 2, the larger of the two is the size itself, and what was
  there to protect an empty batch is simplified away. Count the rows with a tensor.
tags: [torch.dynamic-shape, torch.zero-one, torch.sym-scalar]
rewrites: [dynamic_shapes/mean_with_counted_rows]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        return x.sum(0) / torch.sym_max(x.shape[0], 1)


dynamic_shapes = {"x": {0: Dim("n", min=0, max=8)}}


def inputs(n=4):
    return torch.randn(n, 3)
