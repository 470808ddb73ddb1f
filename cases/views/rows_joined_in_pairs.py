"""
title: Two rows joined into one by reshape
description: >
  The number of rows is declared as twice another, so that they can be joined in pairs. reshape
  works out how many there are then, and nothing is changed in place.
tags: [torch.view, torch.dynamic-shape, torch.derived-dim]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        y = (x * 2).reshape(-1, 8)
        return y.flip(1) + 1


dynamic_shapes = {"x": {0: 2 * Dim("half", min=2, max=8)}}


def inputs(half=3):
    return torch.randn(2 * half, 4)
