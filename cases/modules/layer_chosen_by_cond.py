"""
title: Layer chosen by nested torch.cond
description: >
  A cond for each layer but the last compares the tensor with the layer's number, so only one layer
  runs. The layers are reached from the branches as attributes of the module.
tags: [torch.module, torch.cond, torch.parameter]
requires: [values]
dims: {k: {min: 0, max: 2}}
allow:
  L056: each layer is named, so every k stands in the program
"""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        torch.manual_seed(0)
        self.layers = torch.nn.ModuleList([torch.nn.Linear(4, 6) for _ in range(3)])

    def forward(self, x, k):
        def later(x):
            return torch.cond(k == 1, self.layers[1], self.layers[2], (x,))

        return torch.cond(k == 0, self.layers[0], later, (x,))


def inputs(k=2):
    return torch.randn(5, 4), torch.tensor(k)
