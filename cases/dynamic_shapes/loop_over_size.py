"""
title: Python loop over a dynamic size
description: >
  range() needs a number, so the loop is unrolled as often as in the example and the size becomes
  a constant, against the declared range. Write the loop as one operation on the whole tensor.
tags: [python.control-flow, torch.dynamic-shape, torch.specialization]
rewrites: [dynamic_shapes/loop_over_size_vectorized]
pitfalls: [dynamic_shapes/dim_auto_specialized]
errors: [E0101]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        total, sums = torch.zeros(3), []
        for i in range(x.shape[0]):
            total = total + x[i]
            sums.append(total)
        return torch.stack(sums)


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=5):
    return torch.randn(n, 3)
