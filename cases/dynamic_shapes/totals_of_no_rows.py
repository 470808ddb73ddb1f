"""
title: sum, prod, all and any over an empty batch
description: >
  Over no rows a sum is 0, a product is 1 and all() is True, while everything that comes from
  weights and constants stays what it is. A capture has to give these values for a batch of size
  0.
tags: [torch.dynamic-shape, torch.zero-one]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.start = torch.nn.Parameter(torch.linspace(1, 2, 3))

    def forward(self, x):
        totals = x.sum(0), x.prod(0), (x > 0).all(), (x > 0).any(0), x.sum() + 1, x.t() @ x + 2
        return (
            totals,
            torch.cat([self.start[None], x]),
            self.start * 2,
            torch.eye(3),
            x * self.start,
        )


dynamic_shapes = {"x": {0: Dim("n", max=16)}}


def inputs(n=5):
    return torch.randn(n, 3)
