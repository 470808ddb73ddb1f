"""
title: Dynamic size compared with two bounds in place of range()
description: >
  Both comparisons hold for the whole declared range, so they are answered without a guard.
tags: [torch.sym-scalar, torch.dynamic-shape, python.control-flow]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        if not 3 <= x.shape[0] < 8:
            raise ValueError("between 3 and 7 rows")
        return x * 2


dynamic_shapes = {"x": {0: Dim("n", min=3, max=7)}}


def inputs(n=5):
    return (torch.randn(n, 3),)
