"""
title: interpolate to half of a dynamic size
description: >
  The new size is a floor division of the old one, an expression of its symbol.
tags: [torch.dynamic-shape, torch.sym-scalar]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        return torch.nn.functional.interpolate(x, size=x.shape[2] // 2)


dynamic_shapes = {"x": {2: Dim("n", min=4, max=32)}}


def inputs(n=7):
    return torch.randn(1, 3, n)
