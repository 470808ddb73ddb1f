"""
title: Positions cut from a table, with the limit declared
description: >
  The range ends below the number of rows of the table: the slice of the input never cuts anything
  and that of the table always does, so there is one answer for all sizes.
tags: [torch.dynamic-shape, torch.view]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("table", torch.linspace(-1, 1, 32))

    def forward(self, x):
        return x[:32] + self.table[: x.shape[0]]


dynamic_shapes = {"x": {0: Dim("length", min=2, max=31)}}


def inputs(length=5):
    return torch.randn(length)
