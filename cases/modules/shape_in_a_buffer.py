"""
title: Size of the input kept in a buffer
description: >
  The number of rows is written into a buffer with fill_, as a number that the graph computes from
  its input, and the next call reads it from there.
tags: [torch.buffer, torch.dynamic-shape, torch.mutation]
dims: {n: {min: 2, max: 12}}
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("rows", torch.zeros(()))

    def forward(self, x):
        y = x + self.rows
        self.rows.fill_(x.shape[0])
        return y


dynamic_shapes = {"x": {0: Dim.DYNAMIC}}


def inputs(n=5):
    return torch.randn(n, 4)
