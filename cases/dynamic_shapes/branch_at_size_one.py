"""
title: Branch on whether there is more than one element
description: >
  The range begins at 1, but tracing takes a symbolic size to be at least 2, so the comparison
  with 2 is settled without a guard and the other branch is gone. Size 1 is still inside the range
  that was asked for. Begin the range at 2, or keep both branches with torch.cond.
tags: [python.control-flow, torch.dynamic-shape, torch.zero-one]
rewrites: [dynamic_shapes/branch_at_size_one_cond, dynamic_shapes/branch_at_size_one_range_from_two]
narrower: {dynamic_shapes/branch_at_size_one_range_from_two: a single element}
errors: [E0017, E0114]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        return x + 1 if x.shape[0] >= 2 else x * 100


dynamic_shapes = {"x": {0: Dim("n", min=1)}}


def inputs(n=5):
    return torch.randn(n)
