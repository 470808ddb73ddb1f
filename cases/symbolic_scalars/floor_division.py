"""
title: Floor division and remainder of a dynamic size
description: >
  // and % keep a size a symbolic int. The number of whole blocks becomes a size of the result, and
  the rest a factor.
tags: [torch.sym-scalar, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        n = x.shape[0]
        return x.new_ones(n // 3) * (n % 3)


dynamic_shapes = {"x": {0: Dim("n", min=6, max=32)}}


def inputs(n=10):
    return torch.randn(n)
