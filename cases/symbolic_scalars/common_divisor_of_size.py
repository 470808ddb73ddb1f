"""
title: math.gcd of a dynamic size
description: >
  math.gcd wants plain ints, so the size becomes the constant of the example. The rewrite calls
  torch.gcd on tensors.
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
