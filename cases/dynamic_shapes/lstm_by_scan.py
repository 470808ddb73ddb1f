"""
title: LSTM over a sequence of dynamic length by scan
description: >
  One step of the LSTM is written out with the module's own weights, and scan runs it for as many
  time steps as there are. The graph holds one step, whatever the length. torch has no public name
  for scan yet.
tags: [torch.scan, torch.recurrent, torch.dynamic-shape]
requires: [cpu-kernels, traced-derivatives]
timeout: 240
"""

import torch
from torch._higher_order_ops import scan
from torch.export import Dim


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = torch.nn.LSTM(3, 4, batch_first=True)

    def forward(self, x):
        of_input, of_hidden, bias_of_input, bias_of_hidden = self.lstm.all_weights[0]

        def step(state, x):
            hidden, cell = state
            gates = x @ of_input.T + bias_of_input + hidden @ of_hidden.T + bias_of_hidden
            let_in, forget, new, let_out = gates.chunk(4, 1)
            cell = forget.sigmoid() * cell + let_in.sigmoid() * new.tanh()
            hidden = let_out.sigmoid() * cell.tanh()
            return (hidden, cell), hidden.clone()

        start = x.new_zeros(x.shape[0], 4), x.new_zeros(x.shape[0], 4)
        _, hidden = scan(step, start, x.transpose(0, 1))
        return hidden.transpose(0, 1)


dynamic_shapes = {"x": {1: Dim("length", min=2, max=16)}}


def inputs(length=5):
    return torch.randn(2, length, 3)
