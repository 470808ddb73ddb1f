"""
title: Branch on whether two dynamic sizes are equal
description: >
  The sizes differ in the example, and the branch for equal sizes is left out. That two sizes
  must differ is a guard that no range can express, so a declaration of ranges does not show it.
  torch.cond keeps both branches.
tags: [python.control-flow, torch.dynamic-shape, torch.guard]
rewrites: [dynamic_shapes/branch_on_equal_sizes_cond]
errors: [E0103]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x, y):
        if x.shape[0] == y.shape[0]:
            return x.sum() - y.sum()
        return x.sum() * y.sum()


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}, "y": {0: Dim("m", min=2, max=16)}}


def inputs(n=5, m=7):
    return torch.randn(n), torch.randn(m)
