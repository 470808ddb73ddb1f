"""
title: Mean of rows that may be none
description: >
  The mean of no rows is 0 / 0, so the program asks for the number of rows first. if x.shape[0]
  asks whether the size is not zero, which tracing takes for granted of a symbol, and the other
  branch is lost. Rows counted by a tensor operation need no branch.
tags: [python.control-flow, torch.dynamic-shape, torch.zero-one]
rewrites: [dynamic_shapes/mean_with_counted_rows]
pitfalls: [dynamic_shapes/sum_divided_by_at_least_one]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        if x.shape[0]:
            return x.mean(0)
        return x.new_zeros(3)


dynamic_shapes = {"x": {0: Dim("n", min=0, max=8)}}


def inputs(n=4):
    return torch.randn(n, 3)
