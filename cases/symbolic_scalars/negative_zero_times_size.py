"""
title: -0.0 times a dynamic size, and its sign
description: >
  Negative zero keeps its sign when it is multiplied by a size. In the arithmetic of symbols zero
  times anything is zero without a sign, so the sign that is read later is another. The rewrite
  multiplies tensors.
tags: [torch.sym-scalar, torch.dynamic-shape, python.builtin]
rewrites: [symbolic_scalars/negative_zero_in_tensor]
"""

import math

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        return x * math.copysign(1.0, -0.0 * x.shape[0])


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=5):
    return torch.randn(n, 3)
