"""
title: Suggested fix applied, and the export still fails
description: >
  Two conditions stand in the way: the size must not be less than 16, and not equal to 16. The
  range from 16 up follows from the first alone, and 16 itself remains a size on which the branch
  of the example is not taken. The range has to begin at 17.
tags: [python.control-flow, torch.dynamic-shape, torch.guard]
rewrites: [dynamic_shapes/suggested_fix_completed]
narrower: {dynamic_shapes/suggested_fix_completed: exactly 16 elements}
pitfalls: [dynamic_shapes/branch_on_size_auto]
references: [pytorch#148568, pytorch#126127]
errors: [E0102]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        if x.shape[0] < 16:
            return x - 1
        if x.shape[0] == 16:
            return x
        return x + 1


dynamic_shapes = {"x": {0: Dim("n", min=16, max=64)}}


def inputs(n=20):
    return torch.randn(n)
