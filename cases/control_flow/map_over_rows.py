"""
title: map over the rows of a tensor of varying length
description: >
  map applies one function to each row of its first argument and stacks the results. The further
  arguments are given to each call whole. The number of rows stays a symbol.
tags: [torch.map, torch.dynamic-shape]
requires: [torch>=2.8]
"""

import torch
from torch._higher_order_ops import map
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, xs, y):
        def normalised(row, shift):
            return row.softmax(0) + shift

        return map(normalised, xs, y)


dynamic_shapes = {"xs": {0: Dim("n", min=2, max=16)}, "y": None}


def inputs(n=5):
    return torch.randn(n, 3), torch.randn(3)
