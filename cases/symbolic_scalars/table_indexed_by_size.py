"""
title: Table indexed by a size
description: >
  The values of all sizes are rows of one tensor, and the size is an index: that stays symbolic.
tags: [torch.sym-scalar, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("factors", 1.0 / torch.arange(2, 17))

    def forward(self, x):
        return x * self.factors[x.shape[0] - 2]


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=6):
    return (torch.randn(n, 3),)
