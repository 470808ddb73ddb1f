"""
title: A block whose weights and inputs are bfloat16
description: >
  Large models are stored and run in bfloat16: weights, activations and gradients have eight bits of mantissa,
  and the norm is computed in float32 within. A capture that keeps the weights in float32, or gives their gradients in
  float32, is another model.
tags: [torch.module, torch.dtype, torch.dynamic-shape]
train: true
"""

import torch
from torch import nn
from torch.export import Dim


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm, self.up, self.down = nn.LayerNorm(4), nn.Linear(4, 6), nn.Linear(6, 4)
        self.to(torch.bfloat16)

    def forward(self, x):
        return x + self.down(nn.functional.silu(self.up(self.norm(x))))


dynamic_shapes = {"x": {0: Dim("n", min=1, max=16)}}


def inputs(n=5):
    return torch.linspace(-2, 2, n * 4).reshape(n, 4).to(torch.bfloat16)
