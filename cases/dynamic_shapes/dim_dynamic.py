"""
title: Dim.DYNAMIC on a size
description: >
  Dim.DYNAMIC asks for a symbol and leaves the range to tracing. The sizes that the case accepts
  begin at 2, which is what such a symbol is taken to be at least.
tags: [torch.dim-hint, torch.dynamic-shape]
dims: {n: {min: 2, max: 64}}
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        return torch.cat([x, x.flip(0)])


dynamic_shapes = {"x": {0: Dim.DYNAMIC}}


def inputs(n=5):
    return torch.randn(n, 3)
