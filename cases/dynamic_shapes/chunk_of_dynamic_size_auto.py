"""
title: chunk of a size marked Dim.AUTO
description: >
  The condition that there are three pieces is met by most sizes and not by 4. With Dim.AUTO it
  silently becomes a guard, and the range that comes out still has 4 in it.
tags: [torch.dim-hint, torch.guard, python.data-structure]
dims: {n: {min: 3, max: 32}}
rewrites: [dynamic_shapes/chunk_of_multiple]
references: [pytorch#134663]
errors: [E0103]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        return torch.stack([piece.sum() for piece in x.chunk(3)])


dynamic_shapes = {"x": {0: Dim.AUTO}}


def inputs(n=8):
    return torch.randn(n)
