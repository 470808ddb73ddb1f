"""
title: One batch norm called twice, beside another of its size
description: >
  Both layers begin with the same statistics, and stand deep in the module. The shared one updates
  its statistics at each of its calls, with a momentum of its own; the other at its one call.
tags: [torch.module, torch.mutation, torch.dynamic-shape]
train: true
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.shared = torch.nn.Sequential(torch.nn.BatchNorm1d(4, momentum=0.3))
        self.other = torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.BatchNorm1d(4))

    def forward(self, x, y):
        a, b = self.shared(x), self.shared(y * 2 + 1)
        return a + b, self.other(a - b)


n = Dim("n", min=2, max=16)
dynamic_shapes = {"x": {0: n}, "y": {0: n}}


def inputs(n=5):
    return torch.randn(n, 4), torch.randn(n, 4)
