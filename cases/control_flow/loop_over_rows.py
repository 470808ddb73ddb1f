"""
title: for loop over the rows of a tensor of varying length
description: >
  Iterating a tensor asks Python how many rows it has, and unrolls one round for each. The number
  of rows becomes a constant, although it was declared to vary. Operators that take the dimension to
  work along need no loop.
tags: [python.control-flow, torch.dynamic-shape, torch.specialization]
rewrites: [control_flow/rows_at_once]
pitfalls: [dynamic_shapes/dim_auto_specialized]
errors: [E0101, E0112, E0503]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, xs, y):
        return torch.stack([x.softmax(0) + y for x in xs])


dynamic_shapes = {"xs": {0: Dim("n", min=2, max=16)}, "y": None}


def inputs(n=5):
    return torch.randn(n, 3), torch.randn(3)
