"""
title: math.gcd of a size
description: >
  math.gcd wants plain numbers: the size is settled to that of the example.
tags: [torch.sym-scalar, torch.dynamic-shape, python.builtin]
rewrites: [symbolic_scalars/common_divisor_of_tensors]
errors: [E0101]
"""

import math

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        return x * math.gcd(x.shape[0], 12)


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=6):
    return (torch.randn(n, 3),)
