"""
title: Comparison of a dynamic size combined with 2 by the operator |
description: >
  In Python the bits of a bool and of an int are combined. The same operator of a symbolic bool
  takes bools alone, and raises out of the tracer.
tags: [torch.sym-scalar, torch.dynamic-shape]
rewrites: [symbolic_scalars/comparison_of_size_plus_two]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        return x * ((x.shape[0] > 4) | 2)


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=5):
    return torch.randn(n, 3)
