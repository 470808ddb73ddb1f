"""
title: math.pow(n, 2) of a dynamic size
description: >
  math.pow always gives a float. For a symbol it becomes an integer power, so the result is an
  integer, and so is the tensor that is multiplied by it. The rewrite uses a float exponent.
tags: [torch.sym-scalar, torch.dynamic-shape, torch.dtype]
rewrites: [symbolic_scalars/size_squared_as_float]
"""

import math

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        return torch.arange(3) * math.pow(x.shape[0], 2)


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=5):
    return torch.randn(n, 3)
