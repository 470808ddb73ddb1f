"""
title: Residual added before the activation, after it, scaled or broadcast
description: >
  Kernels add and apply an activation in one go, in that order. Here the activation comes first,
  the residual has a factor, is a row or the smaller of the two, is taken off, or is used again
  after it was added in place.
tags: [torch.module, torch.mutation, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer, self.wide = torch.nn.Conv1d(3, 3, 3, padding=1), torch.nn.Conv1d(3, 3, 1)

    def forward(self, x):
        y = self.layer(x)
        usual, late, bare = (y + x).relu(), y.relu() + x, x + (y + x.relu())
        scaled = torch.add(y, x, alpha=0.5).relu(), (x - y).relu(), (y - x).sigmoid() * x
        spread = (self.wide(x[:1]) + x).relu(), (y + x.mean(2, keepdim=True)).relu()
        kept = self.wide(x)
        kept += x
        return usual, late, bare, scaled, spread, kept.relu() + kept, self.wide(y.relu_()) + y


dynamic_shapes = {"x": {0: Dim("n", min=2, max=8)}}


def inputs(n=5):
    return (torch.randn(n, 3, 4),)
