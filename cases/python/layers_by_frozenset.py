"""
title: frozenset of layers that are left out
description: >
  The configuration names the layers to skip in a frozenset, which is also a key of a dict of
  factors. Members and keys are constants of the module: no question is left in the graph.
tags: [python.data-structure, torch.module, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        torch.manual_seed(0)
        self.layers = torch.nn.ModuleList(torch.nn.Linear(4, 4) for _ in range(3))
        self.skipped = frozenset({1, 7})
        self.factors = {frozenset({7, 1}): 0.5}

    def forward(self, x):
        for i, layer in enumerate(self.layers):
            if i not in self.skipped:
                x = layer(x)
        return x * self.factors[self.skipped]


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=5):
    return torch.randn(n, 4)
