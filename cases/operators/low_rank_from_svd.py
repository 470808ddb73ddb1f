"""
title: Best approximation of lower rank, from the singular value decomposition
description: >
  The signs of singular vectors are free, the product is not. How many values there are is the
  smaller of two sizes, and the factors are sliced to two of them.
tags: [torch.operator, torch.dynamic-shape]
tolerance: {rtol: 0.001, atol: 0.0001}
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        u, s, vh = torch.linalg.svd(x, full_matrices=False)
        return (u[:, :2] * s[:2]) @ vh[:2]


dynamic_shapes = {"x": {0: Dim("n", min=3, max=16)}}


def inputs(n=6):
    return torch.randn(n, 4) + torch.eye(n, 4) * torch.arange(4) * 3
