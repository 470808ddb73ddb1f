"""
title: Layers grouped with itertools.groupby
description: >
  Neighbouring layers of one class are taken together and run as a group, with the sum of what came
  in after each. The groups are made of modules and strings, all known while tracing.
tags: [python.builtin, torch.module]
"""

import itertools

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        torch.manual_seed(0)
        linear = [torch.nn.Linear(4, 4) for _ in range(3)]
        parts = [linear[0], linear[1], torch.nn.Tanh(), linear[2], torch.nn.ReLU()]
        self.layers = torch.nn.ModuleList(parts)

    def forward(self, x):
        for kind, group in itertools.groupby(self.layers, key=lambda m: type(m).__name__):
            before = x
            for layer in group:
                x = layer(x)
            x = x + before if kind == "Linear" else x
        return x


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=5):
    return torch.randn(n, 4)
