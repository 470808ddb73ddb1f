"""
title: Exclusive or of a size as (n | 3) - (n & 3)
description: >
  The bits that only one of two numbers has are those of n | 3 without those of n & 3. Both of
  these operators are captured for a size, and their difference is plain arithmetic.
tags: [torch.dynamic-shape, torch.sym-scalar]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        n = x.shape[0]
        return x + ((n | 3) - (n & 3))


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=5):
    return torch.randn(n)
