"""
title: math.ceil of a divided size
description: >
  math.ceil rounds a symbolic float up, to a symbolic int where tracing understands it. In
  integers, (n + 2) // 3 is the same without a float.
tags: [torch.sym-scalar, python.builtin]
rewrites: [symbolic_scalars/ceil_in_integers]
errors: [E1001]
"""

import math

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        return torch.ones(math.ceil(x.shape[0] / 3), 2)


dynamic_shapes = {"x": {0: Dim("n", min=4, max=16)}}


def inputs(n=10):
    return torch.randn(n)
