"""
title: Totals in double precision, a counter of eight bits and a peak of 16 bits
description: >
  Each buffer keeps its own dtype whatever is added to it: small numbers do not vanish beside a
  large total in float64, a uint8 counter goes from 255 to 0, and an int16 peak is a whole number.
tags: [torch.buffer, torch.mutation, torch.dtype, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("total", torch.tensor(2.0**30, dtype=torch.float64))
        self.register_buffer("calls", torch.tensor(250, dtype=torch.uint8))
        self.register_buffer("peak", torch.zeros(3, dtype=torch.int16))

    def forward(self, x):
        self.total += x.sum()
        self.calls += 3
        self.peak.copy_(torch.maximum(self.peak, 100 * x.amax(0)))
        return self.total - 2.0**30, self.calls + 1, self.peak / 2


dynamic_shapes = {"x": {0: Dim("n", min=1, max=16)}}


def inputs(n=5):
    return torch.linspace(-0.7, 1.3, n * 3).reshape(n, 3)
