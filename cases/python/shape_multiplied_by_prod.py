"""
title: math.prod of a shape
description: >
  math.prod multiplies with the operator *, which a symbolic size supports.
tags: [torch.dynamic-shape, torch.sym-scalar]
"""

import math

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        return x / math.prod(x.shape)


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=5):
    return torch.randn(n, 3)
