"""
title: LSTM over the whole sequence in place of a loop over a cell
description: >
  The layer takes the sequence as one tensor, with the weights of the cell as those of its only
  layer. Inside of it the steps are a loop all the same, which tracing unrolls to the length of the
  example.
tags: [torch.recurrent, torch.dynamic-shape]
dims: {steps: {min: 2, max: 9}}
rewrites: [modules/lstm_cell_to_fixed_length]
errors: [E0101]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        torch.manual_seed(0)
        cell = torch.nn.LSTMCell(3, 4)
        self.lstm = torch.nn.LSTM(3, 4)
        self.lstm.load_state_dict({f"{name}_l0": p for name, p in cell.state_dict().items()})

    def forward(self, x):
        return self.lstm(x)[1][0][0]


dynamic_shapes = {"x": {0: Dim.DYNAMIC}}


def inputs(steps=6):
    return torch.randn(steps, 2, 3)
