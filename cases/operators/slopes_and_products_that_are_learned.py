"""
title: "PReLU with a slope for each channel, and a bilinear layer"
description: >
  A learned slope belongs to the second dimension, whatever the rank of the input, and one slope
  belongs to all. A bilinear layer multiplies two inputs of different widths with a weight of three
  dimensions, so that a backend which swaps them or reads the first slope for all is seen.
tags: [torch.operator, torch.parameter, torch.dynamic-shape]
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
