"""
title: A block with standardised weights and attention divided by its width
description: >
  The weights of a convolution are shifted to mean zero and divided by their deviation plus eps
  before they are used, and attention divides its scores by the width instead of its root, so that
  layers of any width behave alike.
tags: [torch.attention, torch.parameter, torch.dynamic-shape]
"""

import torch
from torch.export import Dim
from torch.nn import functional as F


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.randn(4, 4, 1) * 0.1 + 1)
        self.gain = torch.nn.Parameter(torch.rand(4, 1, 1))

    def forward(self, x):
        centred = self.weight - self.weight.mean(1, keepdim=True)
        weight = centred / (self.weight.std(1, keepdim=True) + 0.02)
        spread = (self.weight.var(1, keepdim=True) + 1e-4).sqrt()
        hidden = F.conv1d(x, self.gain * weight) + F.conv1d(x, centred / spread).relu()
        rows = hidden.transpose(1, 2)
        return (rows @ hidden * 0.25).softmax(-1) @ rows


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=3):
    return torch.randn(n, 4, 5)
