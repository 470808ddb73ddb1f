"""
title: One operation in place of a loop over a dynamic size
description: >
  The running sum is one call of cumsum, whose output size is the symbol itself. Nothing has to
  know the number of rows while tracing.
tags: [torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        return x.cumsum(0)


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=5):
    return torch.randn(n, 3)
