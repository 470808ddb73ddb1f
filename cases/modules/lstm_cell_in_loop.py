"""
title: LSTMCell in a loop over the steps
description: >
  The loop calls the cell once for each step and carries two states along. Its length is that of
  the sequence, so it is unrolled while tracing and the length becomes a constant.
tags: [torch.recurrent, python.control-flow, torch.specialization]
dims: {steps: {min: 2, max: 9}}
rewrites: [modules/lstm_cell_to_fixed_length]
pitfalls: [modules/lstm_over_whole_sequence]
errors: [E0101]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        torch.manual_seed(0)
        self.cell = torch.nn.LSTMCell(3, 4)

    def forward(self, x):
        h = c = torch.zeros(x.shape[1], 4)
        for step in x:
            h, c = self.cell(step, (h, c))
        return h


dynamic_shapes = {"x": {0: Dim.DYNAMIC}}


def inputs(steps=6):
    return torch.randn(steps, 2, 3)
