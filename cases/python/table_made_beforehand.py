"""
title: Table made in the constructor and kept as a buffer
description: >
  The table is there before the first call, so forward asks nothing about the module and puts
  nothing on it. A graph has it as a constant, and takes as much of it as the input is long.
tags: [torch.buffer, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("table", torch.linspace(0, 1, 16), persistent=False)

    def forward(self, x):
        return x * self.table[: x.shape[0]]


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=5):
    return torch.randn(n)
