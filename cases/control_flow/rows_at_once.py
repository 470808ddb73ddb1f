"""
title: Operators over all rows at once in place of a loop over rows
description: >
  softmax takes the dimension to work along and the addition broadcasts, so both operators treat
  all rows at once and nothing has to count them. The number of rows stays a symbol.
tags: [torch.dynamic-shape, torch.operator]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, xs, y):
        return xs.softmax(1) + y


dynamic_shapes = {"xs": {0: Dim("n", min=2, max=16)}, "y": None}


def inputs(n=5):
    return torch.randn(n, 3), torch.randn(3)
