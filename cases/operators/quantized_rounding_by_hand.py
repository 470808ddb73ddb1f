"""
title: Fake quantization written out, with its gradient
description: >
  Values are divided by the step, shifted, rounded to even and limited. What was in range passes
  its gradient by a difference that is zero: kept - kept.detach(). NaN stays NaN here, where the
  operator gives the lowest value.
tags: [torch.quantized, torch.autograd, torch.dynamic-shape]
train: true
"""

import torch
from torch.export import Dim


def rounded(x, scale, zero, least, most):
    whole = (x * (1 / scale)).round() + zero
    kept = torch.where((whole >= least) & (whole <= most), x, 0.0)
    return ((whole.clamp(least, most) - zero) * scale).detach() + (kept - kept.detach())


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("scales", torch.tensor([0.05, 0.5, 1.0, 0.25]))
        self.register_buffer("zeros", torch.tensor([0, 3, -2, 1], dtype=torch.int32))

    def forward(self, x):
        whole = rounded(x, 0.125, 3, 0, 15), rounded(x, 0.5, 0, -128, 127)
        rows = rounded(x.mT, self.scales[:, None], self.zeros[:, None], -8, 7)
        return *whole, rows, rounded(x, self.scales, self.zeros, -8, 7)


dynamic_shapes = {"x": {0: Dim("n", min=1, max=16)}}


def inputs(n=6):
    return (torch.randn(n, 4),)


def accepts():
    yield (torch.tensor([[0.25, 0.75, 1.25, -0.25], [9.0, -9.0, 0.0625, 0.1875]]),)
