"""
title: Gradients of layers, rows and values that are used more than once
description: >
  A weight with two names, a layer that is called twice, a row that is indexed twice and a value
  with two uses: each gets the sum of the gradients of its uses.
tags: [torch.autograd, torch.parameter, torch.module]
train: true
"""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        torch.manual_seed(0)
        self.table = torch.nn.Embedding(7, 4)
        self.mix = torch.nn.Linear(4, 4)
        self.head = torch.nn.Linear(4, 7, bias=False)
        self.head.weight = self.table.weight

    def forward(self, ids):
        x = self.mix(self.mix(self.table(ids)).tanh())
        y = x.sin() + x.exp() * x.sigmoid()
        return self.head(y), y.sum(0) + y, y[torch.tensor([0, 2, 0])]


def inputs():
    return torch.tensor([1, 5, 1, 0, 1])


def accepts():
    yield torch.tensor([6, 6, 6, 2, 3])
