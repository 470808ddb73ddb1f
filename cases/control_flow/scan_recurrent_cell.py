"""
title: GRU cell run over a sequence by scan
description: >
  The cell of the module is called once per time step with the hidden state so far. Its weights
  are captured by the step. Unlike a loop over the sequence, the graph holds one step, for any
  length.
tags: [torch.scan, torch.recurrent, torch.module]
requires: [traced-derivatives]
timeout: 240
"""

import torch
from torch._higher_order_ops import scan
from torch.export import Dim


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        torch.manual_seed(0)
        self.cell = torch.nn.GRUCell(3, 4)

    def forward(self, xs):
        def step(hidden, x):
            hidden = self.cell(x, hidden)
            return hidden, hidden.clone()

        return scan(step, xs.new_zeros(xs.shape[1], 4), xs)


dynamic_shapes = {"xs": {0: Dim("time", min=2, max=9)}}


def inputs(time=5):
    return torch.randn(time, 2, 3)
