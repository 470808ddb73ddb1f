"""
title: torch.cond branch that returns its operand unchanged
description: >
  The identity branch returns the operand itself, so the result shares memory with the input on
  one path and not on the other. The rewrite clones in the identity branch: same values, no shared
  memory.
tags: [torch.cond, torch.aliasing, torch.dynamic-shape]
rewrites: [control_flow/cond_branch_clones_input]
references: [pytorch#153832, pytorch#186104]
errors: [E0402, E0412, E0511]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        def double(x):
            return x * 2

        def same(x):
            return x

        return torch.cond(x.shape[0] > 4, double, same, (x,)) + 1


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=5):
    return torch.randn(n)
