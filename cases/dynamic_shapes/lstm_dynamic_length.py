"""
title: LSTM over a sequence of dynamic length
description: >
  The loop over time steps is inside the operator. While it stays one operator the length can be a
  symbol; where it is taken apart into single steps, be it only to find the shapes, the length of
  the example is baked in.
tags: [torch.recurrent, torch.dynamic-shape]
rewrites: [dynamic_shapes/lstm_by_scan]
pitfalls: [modules/lstm_cell_in_loop]
references: [pytorch#126339]
errors: [E0101, E0613]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = torch.nn.LSTM(3, 4, batch_first=True)

    def forward(self, x):
        y, _ = self.lstm(x)
        return y


dynamic_shapes = {"x": {1: Dim("length", min=2, max=16)}}


def inputs(length=5):
    return torch.randn(2, length, 3)
