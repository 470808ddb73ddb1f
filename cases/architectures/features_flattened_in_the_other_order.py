"""
title: Image features flattened channels last, or averaged over other axes, before the head
description: >
  A linear layer behind flatten has its weights in the order channel, row, column. Features that
  were permuted before come in another order, which a pass that moves or drops the permutation has
  to give the weights as well.
tags: [torch.module, torch.view, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.convolution = torch.nn.Conv2d(3, 4, 3, padding=1)
        self.head, self.row = torch.nn.Linear(4 * 5 * 5, 6), torch.nn.Linear(5, 2)

    def forward(self, x):
        features = self.convolution(x)
        last = features.permute(0, 2, 3, 1)
        heads = [self.head(y.flatten(1)) for y in (last, features, features.mT)]
        rows = self.row(features.mean(2)), self.row(features.mean(3)), self.row(last.mean(3)[:, 0])
        return heads, rows, last.softmax(1), last.mean((1, 2)), last.relu().amax(1).mT


dynamic_shapes = {"x": {0: Dim("n", min=1, max=8)}}


def inputs(n=7):
    return (torch.randn(n, 3, 5, 5),)
