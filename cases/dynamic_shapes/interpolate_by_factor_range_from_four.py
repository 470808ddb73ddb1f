"""
title: interpolate by a factor, with a range that leaves two elements
description: >
  The range begins at 4, of which half is 2: an output of size 0 or 1 never occurs, and the
  declared range agrees with what tracing assumes of sizes.
tags: [torch.dynamic-shape, torch.sym-scalar, torch.zero-one]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        y = torch.nn.functional.interpolate(x, scale_factor=0.5, mode="linear")
        return y / y.shape[-1]


dynamic_shapes = {"x": {2: Dim("n", min=4, max=32)}}


def inputs(n=11):
    return torch.randn(1, 3, n)
