"""
title: PReLU with a slope for each channel, and nn.Bilinear
description: >
  The slopes of PReLU belong to the second dimension, whatever the rank of the input, or there is
  one for all. Bilinear multiplies two inputs of different widths with a weight of three
  dimensions. A backend that swaps them, or uses the first slope for all, gives other numbers.
tags: [torch.sweep, torch.parameter, torch.dynamic-shape]
train: true
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.each, self.one = torch.nn.PReLU(4), torch.nn.PReLU()
        self.pairs = torch.nn.Bilinear(4, 4, 3)
        with torch.no_grad():
            self.each.weight.copy_(torch.tensor([0.1, 0.4, -0.3, 2.0]))

    def forward(self, x, y):
        image = torch.nn.functional.prelu(x[:, :, None] - y[:, None], self.each.weight)
        return image, self.one(x), self.pairs(self.each(x), y)


dynamic_shapes = {"x": {0: (n := Dim("n", min=1, max=16))}, "y": {0: n}}


def inputs(n=5):
    return torch.randn(n, 4), torch.randn(n, 4)
