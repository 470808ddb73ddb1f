"""
title: Histogram of activations between two bounds, for calibration
description: >
  How often activations fall into each of a few bins between bounds on both sides of zero decides
  the scale of a quantised layer. Values outside of the bounds are not counted.
tags: [torch.operator, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("counts", torch.zeros(8))

    def forward(self, x):
        self.counts.add_(torch.histc(x, bins=8, min=-2.0, max=1.0))
        shares = (self.counts / self.counts.sum().clamp(min=1)).cumsum(0)
        return shares, (shares < 0.9).sum()


dynamic_shapes = {"x": {0: Dim("n", min=1, max=64)}}


def inputs(n=12):
    return (torch.randn(n, 4),)
