"""
title: Linear layer with int4 weights, two in a byte, unpacked in forward
description: >
  The low and the high half of each byte are two weights; a shift and a mask take them out, eight
  is subtracted, and each group of four has a scale. uint8 must not be shifted as if it had a sign.
tags: [torch.quantized, torch.dynamic-shape, torch.buffer]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("packed", (torch.arange(12) * 23 % 256).to(torch.uint8).view(3, 4))
        self.register_buffer("scales", torch.linspace(0.1, 0.6, 6).view(3, 2, 1))

    def forward(self, x):
        halves = torch.stack([self.packed & 15, self.packed >> 4], dim=-1).flatten(1)
        weight = (halves.to(torch.int8) - 8).view(3, 2, 4) * self.scales
        return x @ weight.flatten(1).mT


dynamic_shapes = {"x": {0: Dim("n", min=1, max=32)}}


def inputs(n=5):
    return (torch.randn(n, 8),)
