"""
title: Whole numbers drawn for each element of a tensor
description: >
  randint_like draws between two bounds, in the shape and the dtype of another tensor unless it is told another
  dtype; dropout3d drops whole volumes and scales the others.
tags: [torch.random, torch.operator, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        ages = torch.randint_like(x, 18, 90), torch.randint_like(x, 6, dtype=torch.int64)
        near = x + torch.randint_like(ages[1], -2, 3)
        return ages, near, torch.nn.functional.dropout3d(x.reshape(-1, 2, 2, 1, 1) + 1, 0.4)


dynamic_shapes = {"x": {0: Dim("n", min=1, max=16)}}


def inputs(n=7):
    return torch.linspace(0, 9, n * 4).reshape(n, 4)
