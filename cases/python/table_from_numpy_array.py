"""
title: torch.tensor of a NumPy array inside forward
description: >
  The module keeps a table as a NumPy array and makes a tensor of it in every call. The array is
  float64, so the result is of another dtype than the input. The rewrite makes the tensor once, in
  the constructor.
tags: [python.attribute, torch.dtype, torch.dynamic-shape]
rewrites: [python/table_of_doubles_in_buffer]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.table = torch.linspace(-1, 1, 4, dtype=torch.float64, device="cpu").numpy()

    def forward(self, x):
        return x * torch.tensor(self.table)


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=5):
    return torch.randn(n, 4)
