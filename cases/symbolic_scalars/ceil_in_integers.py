"""
title: Division of a size rounded up, in integers
description: >
  Adding the divisor less one before a floor division rounds up, and everything stays an integer
  expression.
tags: [torch.sym-scalar, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        return torch.ones((x.shape[0] + 2) // 3, 2)


dynamic_shapes = {"x": {0: Dim("n", min=4, max=16)}}


def inputs(n=10):
    return torch.randn(n)
