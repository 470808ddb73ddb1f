"""
title: Slice and negative index of a ModuleList
description: >
  layers[1:3] is a new ModuleList that holds the same modules, and layers[-1] is the last one. A
  layer that no slice reaches takes no part, though its weight belongs to the module.
tags: [torch.module, python.data-structure]
"""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        torch.manual_seed(0)
        self.layers = torch.nn.ModuleList([torch.nn.Linear(4, 4) for _ in range(5)])

    def forward(self, x):
        for layer in self.layers[1:3]:
            x = layer(x).tanh()
        return self.layers[-1](x) * len(self.layers)


def inputs():
    return torch.randn(6, 4)
