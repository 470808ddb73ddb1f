"""
title: Gradients of batch, layer and group normalisation
description: >
  Mean and variance depend on the input too, so a gradient that takes them for constants is wrong.
  The outputs are weighted here, since the plain sum of a normalised tensor has a gradient of
  zero.
tags: [torch.autograd, torch.dynamic-shape]
train: true
tolerance: {rtol: 0.0001, atol: 0.0001}
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.LayerNorm(6)
        self.group = torch.nn.GroupNorm(2, 4)
        self.batch = torch.nn.BatchNorm1d(4)

    def forward(self, x):
        return self.layer(x), self.group(x), self.batch(x), torch.nn.functional.normalize(x, dim=1)


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=5):
    return torch.randn(n, 4, 6, requires_grad=True)
