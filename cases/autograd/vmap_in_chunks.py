"""
title: torch.vmap in chunks of a dynamic batch
description: >
  chunk_size=2 maps the function over two rows at a time to save memory. The number of chunks is
  that of a Python loop, so it becomes a constant, and with it the batch. Map all rows at once.
tags: [torch.functional-transform, torch.specialization, torch.dynamic-shape]
rewrites: [autograd/vmap_at_once]
pitfalls: [dynamic_shapes/dim_auto_specialized]
errors: [E0101]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        return torch.vmap(lambda row: row.softmax(0), chunk_size=2)(x)


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=5):
    return torch.randn(n, 3)
