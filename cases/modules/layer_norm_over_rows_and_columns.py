"""
title: LayerNorm over rows and columns with a weight for every cell
description: >
  normalized_shape has two sizes: mean and variance are those of the whole sheet. Weight and bias
  are sheets too, different along either side. Normalised over the last side alone, or with one
  row of weights for all, the result has the same shape.
tags: [torch.module, torch.parameter, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = torch.nn.LayerNorm((4, 6))
        with torch.no_grad():
            self.norm.weight.copy_(torch.arange(4)[:, None] * 0.5 - torch.arange(6) * 0.3)
            self.norm.bias.copy_(torch.linspace(-1, 2, 24).reshape(4, 6))

    def forward(self, x):
        slope = torch.arange(4.0)[:, None]
        return self.norm(x + slope)


dynamic_shapes = {"x": {0: Dim("n", min=1, max=16)}}


def inputs(n=5):
    return torch.randn(n, 4, 6)
