"""
title: One Dim for both dimensions of a square matrix
description: >
  The same Dim stands at both dimensions, so the matrix is square whatever its size. A matrix that
  is not square has to be refused, though nothing in this program would fail on it.
tags: [torch.shared-dim, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        return x.diagonal().sum() / x.shape[0]


n = Dim("n", min=2, max=16)
dynamic_shapes = {"x": {0: n, 1: n}}


def inputs(n=5):
    return torch.randn(n, n)
