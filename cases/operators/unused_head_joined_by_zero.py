"""
title: Unused head joined to the loss by * 0
description: >
  So that every parameter has a gradient, the head that a batch does not use is added to the loss
  times zero. Zero times infinity and infinity minus infinity are NaN, so a head that has overflowed
  spoils the loss; whoever replaces x * 0 or x - x by 0 hides it.
tags: [torch.decomposition, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, used, unused):
        loss = used.square().mean(1)
        rows = loss + unused.sum(1) * 0
        return rows, loss + 0 * unused[:, 0], (unused - unused) + used


n = Dim("n", min=1, max=16)
dynamic_shapes = {"used": {0: n}, "unused": {0: n}}


def inputs(n=5):
    return torch.randn(n, 3), torch.randn(n, 3)


def accepts():
    head = [[1.0, torch.nan, 2.0], [torch.inf, 1.0, 3.0], [-torch.inf, 0.0, 1.0], [3.0, 4.0, 5.0]]
    yield torch.randn(4, 3), torch.tensor(head)
