"""
title: Positions cut from a table, for inputs longer than the table too
description: >
  The table has 32 rows; longer inputs are cut to as many. A slice that may end before or at the end
  of what it cuts has two possible sizes, and tracing takes that of the example, with a guard that
  excludes the rest of the range. Declare the limit if longer inputs never come.
tags: [torch.dynamic-shape, torch.guard, torch.view]
rewrites: [dynamic_shapes/slice_of_position_table_limited]
narrower: {dynamic_shapes/slice_of_position_table_limited: inputs of 32 elements and more}
errors: [E0102]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("table", torch.linspace(-1, 1, 32))

    def forward(self, x):
        return x[:32] + self.table[: x.shape[0]]


dynamic_shapes = {"x": {0: Dim("length", min=2, max=64)}}


def inputs(length=5):
    return torch.randn(length)
