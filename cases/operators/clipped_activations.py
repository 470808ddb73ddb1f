"""
title: Hardtanh, ReLU6, hardswish, shrink and threshold
description: >
  Each activation has corners at values of its own. What it does exactly at a corner, or between
  -lambda and lambda, tells one from the other.
tags: [torch.sweep, torch.decomposition, torch.dynamic-shape]
"""

import torch
from torch.export import Dim
from torch.nn import functional as F


class Model(torch.nn.Module):
    def forward(self, x):
        clipped = (
            F.hardtanh(x, -0.5, 2.0),
            F.relu6(x),
            F.relu(x),
            x.clamp(min=-1.0),
            x.clamp(max=0.5),
        )
        linear = F.hardswish(x), F.hardsigmoid(x), F.leaky_relu(x, 0.2), F.threshold(x, 0.5, -9.0)
        return clipped, linear, F.hardshrink(x, 0.6), F.softshrink(x, 0.3), F.glu(x, dim=1)


dynamic_shapes = {"x": {0: Dim("n", min=1, max=16)}}


def inputs(n=5):
    return (torch.randn(n, 4) * 3,)


def accepts():
    yield (torch.tensor([[-0.5, 0.5, 0.3, 0.6], [6.0, 3.0, -3.0, 7.0], [2.0, -1.0, 0.0, -0.3]]),)
