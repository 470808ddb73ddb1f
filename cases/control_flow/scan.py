"""
title: scan for a recurrence over rows
description: >
  scan calls one function per row with the state so far; it returns the next state and an output.
  The result is the last state and all outputs, stacked. The number of rows stays a symbol. torch
  has no public name for scan yet.
tags: [torch.scan, torch.dynamic-shape, torch.recurrent]
references: [pytorch#126339]
"""

import torch
from torch._higher_order_ops import scan
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, state, xs):
        def step(state, x):
            state = torch.tanh(0.5 * state + x)
            return state, state.clone()

        return scan(step, state, xs)


dynamic_shapes = {"state": None, "xs": {0: Dim("n", min=2, max=16)}}


def inputs(n=5):
    return torch.randn(3), torch.randn(n, 3)
