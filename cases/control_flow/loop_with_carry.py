"""
title: for loop that carries a state from row to row
description: >
  A recurrence over the rows of an input of varying length. Python unrolls it, one round for each
  row of the example, and the length becomes a constant. scan keeps the recurrence as one loop.
tags: [python.control-flow, torch.dynamic-shape, torch.specialization, torch.recurrent]
rewrites: [control_flow/scan]
pitfalls: [dynamic_shapes/dim_auto_specialized]
references: [pytorch#126339]
errors: [E0101, E0112]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, state, xs):
        states = []
        for x in xs:
            state = torch.tanh(0.5 * state + x)
            states.append(state)
        return state.clone(), torch.stack(states)


dynamic_shapes = {"state": None, "xs": {0: Dim("n", min=2, max=16)}}


def inputs(n=5):
    return torch.randn(3), torch.randn(n, 3)
