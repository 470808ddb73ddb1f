"""
title: 'Fake quantisation by hand: divided, rounded, limited and multiplied again'
description: >
  The division and the product cancel but for the rounding between them, which is the purpose.
  Floor, an offset, a limit before the rounding or another step on the way back give other points
  of the grid.
tags: [torch.sweep, torch.quantized, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.randn(6, 4))

    def forward(self, x):
        usual = (x / 0.25).round().clamp(-8, 7) * 0.25, (x / 0.25).clamp(-7.5, 7.5).round() * 0.25
        down = (x / 0.25).floor() * 0.25, (x / 0.25 + 0.5).floor() * 0.25, (x * 4).trunc() / 4
        offset = ((x / 0.25).round() + 3).clamp(0, 15) * 0.25, ((x / 0.3).round() - 2) * 0.3
        other = (x / 0.25).round() * 0.5, ((x / 0.25).round() * 0.25 / 0.5).round() * 0.5
        step = self.weight.abs().amax(1, keepdim=True) / 7
        rounded = (self.weight / step).round() * step
        return usual, down, offset, other, x @ rounded.t(), (x.relu() / 0.25).round() * 0.25


dynamic_shapes = {"x": {0: Dim("n", min=1, max=16)}}


def inputs(n=5):
    return (torch.randn(n, 4),)


def accepts():
    yield (torch.tensor([[0.125, -0.125, 0.375, 3.0], [-0.375, 0.625, -9.0, 0.0]]),)
