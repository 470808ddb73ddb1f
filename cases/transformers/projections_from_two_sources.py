"""
title: 'Query, key and value projections that could be one: without a bias, from another input'
description: >
  Layers on the same input can be one layer whose output is split. Here the key has no bias
  (Whisper), the values are narrower, and in cross-attention keys and values come from elsewhere.
tags: [torch.attention, torch.module, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.query, self.key = torch.nn.Linear(6, 4), torch.nn.Linear(6, 4, bias=False)
        self.value = torch.nn.Linear(6, 2)

    def forward(self, x, memory):
        own = self.query(x), self.key(x), self.value(x)
        other = self.key(memory), self.value(memory)
        weights = (own[0] @ other[0].mT).softmax(-1)
        return own, weights @ other[1]


n, m = Dim("n", min=1, max=16), Dim("m", min=1, max=16)
dynamic_shapes = {"x": {1: n}, "memory": {1: m}}


def inputs(n=5, m=7):
    return torch.randn(3, n, 6), torch.randn(3, m, 6)
