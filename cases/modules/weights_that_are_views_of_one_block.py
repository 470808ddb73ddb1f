"""
title: Buffers and parameters that are views into one block of memory
description: >
  Weights that were loaded as one block and cut up begin in the middle of their memory, skip
  elements or lie column by column. Where a format stores memory, the offset and the strides have
  to be stored with it.
tags: [torch.buffer, torch.parameter, torch.stride, torch.dynamic-shape]
references: [pytorch#122784]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        block = torch.arange(24.0)
        self.register_buffer("late", block[12:16])
        self.register_buffer("even", block[4:12:2])
        self.weight = torch.nn.Parameter(block[8:].view(4, 4).t())

    def forward(self, x):
        return x * self.late, x + self.even, x @ self.weight


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=5):
    return torch.randn(n, 4)
