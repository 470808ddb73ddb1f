"""
title: Exclusive or of a size as what "or" has more than "and"
description: >
  The bits that one of two numbers has alone are those of | without those of &. Both of these
  operators are captured for a size, and the difference of the results is plain arithmetic.
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
