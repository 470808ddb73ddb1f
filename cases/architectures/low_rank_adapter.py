"""
title: Linear layer with a low-rank adapter (LoRA)
description: >
  The product of two small matrices is added to a frozen layer. The wrapper holds the old layer as
  its submodule; its own weights are parameters with other names.
tags: [torch.module, torch.parameter, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Adapted(torch.nn.Module):
    def __init__(self, base):
        super().__init__()
        self.base = base.requires_grad_(False)
        self.down = torch.nn.Parameter(torch.randn(2, base.in_features))
        self.up = torch.nn.Parameter(torch.randn(base.out_features, 2))

    def forward(self, x):
        return self.base(x) + x @ self.down.T @ self.up.T * 0.5


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.Linear(4, 6))
        self.layers[1] = Adapted(self.layers[1])

    def forward(self, x):
        return self.layers(x)


dynamic_shapes = {"x": {0: Dim("batch", min=1, max=16)}}


def inputs(batch=5):
    return torch.randn(batch, 3)
