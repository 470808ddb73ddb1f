"""
title: n % 2 == 0 in place of (n / 2).is_integer()
description: >
  A remainder of integers stays symbolic, and so does its comparison.
tags: [torch.sym-scalar, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        return x * (x.shape[0] % 2 == 0)


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=6):
    return (torch.randn(n, 3),)
