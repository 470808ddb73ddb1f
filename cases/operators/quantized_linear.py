"""
title: Linear layer with int8 weights, its input quantized in each call
description: >
  Each row of the input is scaled to the range of int8 by its largest element and rounded; the
  product is computed in integers and scaled back. Rows of zeros need a least scale. The scales
  are data and the types change twice.
tags: [torch.dtype, torch.quantized, torch.buffer, torch.dynamic-shape]
requires: [integer-product]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        weight = torch.arange(-12, 12, dtype=torch.int8).view(6, 4) * 10
        self.register_buffer("weight", weight)
        self.register_buffer("scale", torch.linspace(0.01, 0.06, 6))

    def forward(self, x):
        scale = x.abs().amax(-1, keepdim=True).clamp(min=1e-5) / 127
        rounded = (x / scale).round().to(torch.int8)
        product = rounded.to(torch.int32) @ self.weight.to(torch.int32).t()
        return product * scale * self.scale


dynamic_shapes = {"x": {0: Dim("n", min=1, max=16)}}


def inputs(n=5):
    return (torch.randn(n, 4),)


def accepts():
    yield (torch.tensor([[0.0, 0.0, 0.0, 0.0], [300.0, -1.0, 2.0, 0.5]]),)
