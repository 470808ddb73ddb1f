"""
title: math.isqrt of a dynamic size
description: >
  math.isqrt wants a plain int, so the size becomes the constant of the example. The rewrite takes
  the root of a tensor.
tags: [torch.sym-scalar, torch.dynamic-shape, python.builtin]
rewrites: [symbolic_scalars/side_of_square_in_tensor]
errors: [E0101]
"""

import math

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        side = math.isqrt(x.shape[0])
        return x * side


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=6):
    return (torch.randn(n, 3),)
