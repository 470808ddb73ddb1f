"""
title: A dynamic size squared by math.pow
description: >
  math.pow gives a float whatever it is given. Of a symbol and a whole number it becomes their
  power, which is a whole number, and so is the tensor that is multiplied by it.
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
