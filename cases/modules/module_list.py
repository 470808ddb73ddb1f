"""
title: Loop over a ModuleList
description: >
  The layers stand in a ModuleList and forward calls one after another. How many there are is a
  fact of the module, so the loop is unrolled while tracing and each layer keeps its own weight.
tags: [torch.module, torch.parameter, python.control-flow]
"""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        torch.manual_seed(0)
        self.layers = torch.nn.ModuleList([torch.nn.Linear(4, 4) for _ in range(3)])

    def forward(self, x):
        for i, layer in enumerate(self.layers):
            x = layer(x).relu() + i
        return x


def inputs():
    return torch.randn(5, 4)
