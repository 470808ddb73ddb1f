"""
title: Gradients through values that are moved, joined and written
description: >
  What comes back through flip, roll, a running sum, indices, a joined list, a broadcast or a write
  in place has to go the way back: turned, shifted, added up over what was used twice. The signal
  has no symmetry that would hide it.
tags: [torch.autograd, torch.dynamic-shape]
train: true
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.linspace(-1, 1.5, 12).view(4, 3))
        self.table = torch.nn.Embedding(5, 3)

    def forward(self, x, ids):
        w = self.weight
        moved = w.flip(0) * 2 + w.roll(1, 0) * w.cumsum(0) + torch.cat((w[2:] * 3, w[:2]))
        rows = self.table(ids) * x + w[ids % 4] - w.gather(0, (ids % 4)[:, None].expand(-1, 3))
        held = torch.zeros(4, 3)
        held[1:3] = w[:2] * w[2:]
        turned = torch.polar(w.exp(), w).conj()
        return moved.T @ held, rows * w[0] + (x @ w.T @ w), turned.real * moved - turned.imag


n = Dim("n", min=1, max=16)
dynamic_shapes = {"x": {0: n}, "ids": {0: n}}


def inputs(n=6):
    return torch.randn(n, 3), torch.arange(n) * 2 % 5
