"""
title: Distances between all pairs of rows by broadcasting
description: >
  The difference of each row to each other one has a dimension for either set, and the norm goes
  over the last. No implementation is chosen by the number of rows; memory grows with both.
tags: [torch.operator, torch.dynamic-shape]
tolerance: {rtol: 0.001, atol: 0.001}
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x, y):
        differences = x[:, None] - y[None]
        return torch.linalg.vector_norm(differences, dim=2).min(1).values


rows, others = Dim("rows", min=2, max=64), Dim("others", min=2, max=64)
dynamic_shapes = {"x": {0: rows}, "y": {0: others}}


def inputs(rows=5, others=7):
    return torch.randn(rows, 3), torch.randn(others, 3)
