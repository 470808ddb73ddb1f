"""
title: A comparison of a size, combined with 2 by |
description: >
  In Python the bits of a truth value and of a whole number are combined. The or of a symbol
  takes truth values alone, and raises out of the tracer.
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
