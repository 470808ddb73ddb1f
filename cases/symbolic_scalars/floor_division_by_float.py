"""
title: Whole steps of a tenth of a second in a clip
description: >
  Floor division of floats is no floor of the quotient: 0.1 is a little more than a tenth, so
  0.5 // 0.1 is 4, while 0.5 / 0.1 rounds to 5. A tracer that divides and takes the floor has one step
  too many. Whole numbers have no such
  trouble.
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
