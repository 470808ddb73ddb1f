"""
title: Shape of the input stored on self
description: >
  forward keeps the last shape as a plain attribute, and the next call reads it. While tracing the
  attribute holds a symbolic size of that one call, which no later call updates.
tags: [python.attribute, torch.dynamic-shape, torch.mutation]
references: [pytorch#130820]
rewrites: [modules/shape_in_a_buffer]
pitfalls: [mutation/buffer_assigned]
dims: {n: {min: 2, max: 12}}
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.last_shape = (0, 4)

    def forward(self, x):
        y = x + self.last_shape[0]
        self.last_shape = x.shape
        return y


dynamic_shapes = {"x": {0: Dim.DYNAMIC}}


def inputs(n=5):
    return torch.randn(n, 4)
