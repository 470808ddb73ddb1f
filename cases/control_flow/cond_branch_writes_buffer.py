"""
title: torch.cond branch that counts in a buffer
description: >
  One branch adds to a counter of the module. Whether the state changes would depend on the branch
  taken, and branches in a graph have no side effects. Let the branches return how much to add,
  and write the buffer after the cond.
tags: [torch.cond, torch.buffer, torch.mutation]
rewrites: [control_flow/cond_buffer_written_after]
pitfalls: [control_flow/cond_branch_mutates_input]
references: [pytorch#147210]
errors: [E0403]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("long_calls", torch.zeros(()))

    def forward(self, x):
        def long(x):
            self.long_calls.add_(1)
            return x.mean()

        def short(x):
            return x.sum()

        return torch.cond(x.shape[0] > 4, long, short, (x,)) + self.long_calls


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=6):
    return torch.randn(n)
