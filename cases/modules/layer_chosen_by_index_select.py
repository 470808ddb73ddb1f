"""
title: All layers computed and one of them selected
description: >
  Every layer runs, the results are stacked, and index_select takes the one that the tensor names
  when the program runs. It costs all layers, and suits a few small ones.
tags: [torch.module]
dims: {k: {min: 0, max: 2}}
"""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        torch.manual_seed(0)
        self.layers = torch.nn.ModuleList([torch.nn.Linear(4, 6) for _ in range(3)])

    def forward(self, x, k):
        every = torch.stack([layer(x) for layer in self.layers])
        return every.index_select(0, k.reshape(1)).squeeze(0)


def inputs(k=2):
    return torch.randn(5, 4), torch.tensor(k)
