"""
title: scan over the second dimension of a batch
description: >
  With dim=1 the scan goes over time in a tensor of batch, time and features, and the outputs are
  stacked there. The lengths of both other dimensions belong to each step.
tags: [torch.scan, torch.dynamic-shape]
references: [pytorch#148980]
"""

import torch
from torch._higher_order_ops import scan
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, xs):
        def step(state, x):
            state = 0.5 * state + x
            return state, state * state.shape[0]

        return scan(step, xs.new_zeros(xs.shape[0], 3), xs, dim=1)


dynamic_shapes = {"xs": {0: Dim("batch", min=2, max=8), 1: Dim("time", min=2, max=16)}}


def inputs(batch=4, time=5):
    return torch.randn(batch, time, 3)
