"""
title: Table of float64 in a buffer in place of a NumPy array
description: >
  The array becomes a tensor once, in the constructor, and keeps its dtype. forward multiplies by a
  buffer, which every exporter knows.
tags: [torch.buffer, torch.dtype, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        array = torch.linspace(-1, 1, 4, dtype=torch.float64, device="cpu").numpy()
        self.register_buffer("table", torch.tensor(array))

    def forward(self, x):
        return x * self.table


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=5):
    return torch.randn(n, 4)
