"""
title: Dim.AUTO on every size
description: >
  Dim.AUTO leaves it to tracing which sizes stay symbols and what range they have. Here the
  features are a constant because a layer fixes them, and batch and length stay symbols.
tags: [torch.dim-hint, torch.dynamic-shape]
dims: {batch: {min: 2, max: 16}, length: {min: 2, max: 16}}
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(6, 4)

    def forward(self, x):
        return self.linear(x).amax(1)


dynamic_shapes = {"x": {0: Dim.AUTO, 1: Dim.AUTO, 2: Dim.AUTO}}


def inputs(batch=3, length=5):
    return torch.randn(batch, length, 6)
