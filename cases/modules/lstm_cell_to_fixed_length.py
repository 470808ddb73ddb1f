"""
title: LSTMCell in a loop to a fixed length, later steps masked
description: >
  The sequence is padded to the longest length that may come and the loop always runs to that. A
  state is taken over only while the step lies inside of the sequence.
tags: [torch.recurrent, torch.dynamic-shape, python.control-flow]
dims: {steps: {min: 2, max: 9}}
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        torch.manual_seed(0)
        self.cell = torch.nn.LSTMCell(3, 4)

    def forward(self, x):
        inside = torch.arange(9, device=x.device) < x.shape[0]
        x = torch.nn.functional.pad(x, (0, 0, 0, 0, 0, 9 - x.shape[0]))
        h = c = torch.zeros(x.shape[1], 4)
        for i in range(9):
            new_h, new_c = self.cell(x[i], (h, c))
            h, c = torch.where(inside[i], new_h, h), torch.where(inside[i], new_c, c)
        return h


dynamic_shapes = {"x": {0: Dim.DYNAMIC}}


def inputs(steps=6):
    return torch.randn(steps, 2, 3)
