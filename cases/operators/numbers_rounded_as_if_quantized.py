"""
title: "Fake quantization in training: per tensor and per channel"
description: >
  Values are rounded to the steps that an integer could hold and stay floating, halves to the even
  step, and those outside of the range end at its edge. Scales belong to one axis, named by a
  number. Gradients pass where a value was in range.
tags: [torch.operator, torch.quantized, torch.dynamic-shape]
rewrites: [operators/quantized_rounding_by_hand]
train: true
requires: [values]
"""

import torch
from torch import fake_quantize_per_channel_affine as by_channel
from torch import fake_quantize_per_tensor_affine as by_tensor
from torch.export import Dim


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("scales", torch.tensor([0.05, 0.5, 1.0, 0.25]))
        self.register_buffer("zeros", torch.tensor([0, 3, -2, 1], dtype=torch.int32))

    def forward(self, x):
        whole = by_tensor(x, 0.125, 3, 0, 15), by_tensor(x, 0.5, 0, -128, 127)
        rows = by_channel(x.mT, self.scales, self.zeros, 0, -8, 7)
        return *whole, rows, by_channel(x, self.scales, self.zeros, 1, -8, 7)


dynamic_shapes = {"x": {0: Dim("n", min=1, max=16)}}


def inputs(n=6):
    return (torch.randn(n, 4),)


def accepts():
    yield (torch.tensor([[0.25, 0.75, 1.25, -0.25], [9.0, -9.0, 0.0625, 0.1875]]),)
