"""
title: Gradient through scan
description: >
  Every row flows into all later states, so the gradient of a row gathers what comes back from
  them. The backward is a scan in the other direction.
tags: [torch.scan, torch.autograd, torch.parameter]
requires: [traced-derivatives]
timeout: 240
train: true
"""

import torch
from torch._higher_order_ops import scan
from torch.export import Dim


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.decay = torch.nn.Parameter(torch.tensor([0.5, 0.9, -0.3]))

    def forward(self, xs):
        def step(state, x):
            state = torch.tanh(self.decay * state + x)
            return state, state * 2

        return scan(step, torch.zeros(3), xs)[1]


dynamic_shapes = {"xs": {0: Dim("n", min=2, max=16)}}


def inputs(n=5):
    return torch.randn(n, 3, requires_grad=True)
