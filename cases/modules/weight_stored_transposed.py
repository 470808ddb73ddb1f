"""
title: Weights that are transposed, strided or expanded in memory
description: >
  A checkpoint of another framework is loaded as views: a transposed matrix, every second row of a
  table, one row expanded to all heads. A capture that stores their memory without the strides has
  other weights.
tags: [torch.parameter, torch.buffer, torch.stride]
"""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.linspace(-1, 1, 12).sin().reshape(3, 4).t())
        self.register_buffer("table", torch.linspace(-2, 2, 24).cos().reshape(6, 4)[::2])
        self.register_buffer("heads", torch.linspace(0, 1, 3).expand(4, 3))
        self.register_buffer("image", torch.linspace(-1, 1, 60).reshape(1, 4, 3, 5).movedim(1, -1))

    def forward(self, x):
        mixed = torch.nn.functional.linear(x, self.weight) + self.table.sum(0)
        return mixed, self.weight @ self.heads.t(), self.image * x.sum(), self.heads * 2


def inputs():
    return torch.randn(5, 3)
