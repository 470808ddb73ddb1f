"""
title: Hardsigmoid, hardswish, hardshrink and threshold exactly at their corners
description: >
  These activations are straight lines between corners. At a corner a comparison for equal values
  decides which line holds, and slopes and bounds are arguments that have defaults.
tags: [torch.sweep]
"""

import torch
from torch.nn import functional as F


class Model(torch.nn.Module):
    def forward(self, x):
        hard = F.hardsigmoid(x), F.hardswish(x), F.relu6(x), F.hardtanh(x, -0.5, 2.5)
        shrunk = F.hardshrink(x, 0.5), F.softshrink(x, 0.5), F.tanhshrink(x), F.hardshrink(x)
        above = F.threshold(x, 0.5, -7.0), F.leaky_relu(x, 0.3), F.rrelu(x, 0.1, 0.5)
        bent = F.selu(x), F.celu(x, 2.0), F.elu(x, 0.5), F.softplus(x, 2.0, 1.0), F.mish(x)
        halves = F.glu(x, 0), F.glu(x, dim=1), F.softsign(x), F.softmin(x, 0), F.logsigmoid(x)
        return hard, shrunk, above, bent, halves


def inputs():
    corners = [-3.0, -0.5, 0.0, 0.5, 1.0, 2.5, 3.0, 6.0, 7.0]
    return (torch.tensor(corners * 3)[:24].view(4, 6),)
