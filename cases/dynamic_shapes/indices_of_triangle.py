"""
title: torch.tril_indices of a dynamic size
description: >
  torch.tril_indices takes the sides of the triangle as plain ints, so a dynamic size becomes a
  constant. The rewrite makes a matrix of all pairs and keeps each pair once with tril().
tags: [torch.dynamic-shape, torch.operator]
rewrites: [dynamic_shapes/triangle_of_products]
errors: [E0101]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        n = x.shape[0]
        rows, columns = torch.tril_indices(n, n)
        return (x[rows] * x[columns]).sum()


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=6):
    return (torch.randn(n, 3),)
