"""
title: Dynamic size floor-divided by a float, (n / 10) // 0.1
description: >
  Floor division of floats is not the floor of the quotient: 0.1 is a little more than a tenth, so
  0.5 // 0.1 is 4, while 0.5 / 0.1 rounds to 5. A tracer that divides and takes the floor counts
  one step too many. Floor division of integers has no such problem.
tags: [torch.sym-scalar, torch.dynamic-shape]
rewrites: [symbolic_scalars/floor_division_in_tensor]
references: [pytorch#197895]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        seconds = x.shape[0] / 10
        return x / (seconds // 0.1)


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=5):
    return torch.randn(n, 4)
