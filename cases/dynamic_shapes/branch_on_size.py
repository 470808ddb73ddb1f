"""
title: Python if on a dynamic size
description: >
  The branch of the example is the only one that tracing sees. The condition becomes a guard that
  holds on part of the declared range only, so the declaration is contradicted. Either keep both
  branches with torch.cond or declare the part of the range that the branch is meant for.
tags: [python.control-flow, torch.dynamic-shape, torch.guard]
rewrites: [dynamic_shapes/branch_on_size_cond, dynamic_shapes/branch_on_size_range_narrowed]
narrower: {dynamic_shapes/branch_on_size_range_narrowed: four elements or fewer}
pitfalls: [dynamic_shapes/branch_on_size_auto]
references: [pytorch#126127, pytorch#140011]
errors: [E0102]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        if x.shape[0] > 4:
            return x + 1
        return x * 100


dynamic_shapes = {"x": {0: Dim("n", min=2, max=32)}}


def inputs(n=7):
    return torch.randn(n)
