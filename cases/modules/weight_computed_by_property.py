"""
title: "@property that computes the weight"
description: >
  The weight is the product of two small parameters, computed whenever it is read. A property runs
  Python while tracing, so the graph has the product and follows the parameters.
tags: [torch.parameter, python.decorator, torch.module, torch.dynamic-shape]
train: true
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        torch.manual_seed(0)
        self.down = torch.nn.Parameter(torch.randn(4, 2))
        self.up = torch.nn.Parameter(torch.randn(2, 3))

    @property
    def weight(self):
        return self.down @ self.up

    def forward(self, x):
        return x @ self.weight + self.weight.sum(0)


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=5):
    return torch.randn(n, 4)
