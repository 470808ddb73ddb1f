"""
title: torch.cond branch that changes its operand in place
description: >
  One branch writes into the operand, the other does not: whether the input of the model changes
  would depend on the branch taken. The rewrite lets both branches return the new value, and writes it back
  once, after the cond.
tags: [torch.cond, torch.mutation, torch.dynamic-shape]
rewrites: [control_flow/cond_then_write_back]
references: [pytorch#147210, pytorch#172836]
errors: [E0403, E0412]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        def grow(x):
            x.add_(1)
            return x.sum()

        def keep(x):
            return x.sum()

        return torch.cond(x.shape[0] > 4, grow, keep, (x,))


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=5):
    return torch.randn(n)
