"""
title: Example whose size is outside of the declared range
description: >
  The range is that of the requests to come, and the example is shorter than any of them. A trace
  of the example would be no evidence for the range, so the example has to lie inside.
tags: [torch.dynamic-shape, torch.guard]
rewrites: [dynamic_shapes/size_with_range]
errors: [E0127]
allow:
  L026: the case is about an example outside of the range
  L057: the case is about an example outside of the range
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        return x * x.shape[0]


dynamic_shapes = {"x": {0: Dim("n", min=16, max=32)}}


def inputs(n=8):
    return torch.randn(n, 3)
