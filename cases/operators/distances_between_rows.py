"""
title: Distances between all pairs of rows (torch.cdist)
description: >
  cdist computes small and large inputs in different ways, with or without a matrix product, and
  chooses by the number of rows: more than 25 is large. Both ways give the same up to rounding.
tags: [torch.decomposition, torch.dynamic-shape]
rewrites: [operators/distances_by_broadcasting]
tolerance: {rtol: 0.001, atol: 0.001}
errors: [E0102]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x, y):
        return torch.cdist(x, y).min(1).values


rows, others = Dim("rows", min=2, max=64), Dim("others", min=2, max=64)
dynamic_shapes = {"x": {0: rows}, "y": {0: others}}


def inputs(rows=5, others=7):
    return torch.randn(rows, 3), torch.randn(others, 3)
