"""
title: Shared dim found by Dim.AUTO
description: >
  With Dim.AUTO at every size, tracing itself finds that two of them must be equal and records it
  as a guard, where two Dims of different names would be contradicted by the addition.
tags: [torch.shared-dim, torch.dim-hint]
references: [pytorch#134486]
dims: {n: {min: 2, max: 16}}
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x, y):
        return x + y


dynamic_shapes = {"x": {0: Dim.AUTO}, "y": {0: Dim.AUTO}}


def inputs(n=5):
    return torch.randn(n), torch.randn(n)


def rejects():
    yield torch.randn(5), torch.randn(4)
    yield torch.randn(3), torch.randn(6)
