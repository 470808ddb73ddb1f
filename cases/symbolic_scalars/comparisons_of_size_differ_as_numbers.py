"""
title: Whether two comparisons of a size differ, asked of whole numbers
description: >
  The comparisons are made whole numbers, whose difference is 0 or not.
tags: [torch.sym-scalar, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        return x * (int(x.shape[0] > 4) != int(x.shape[0] > 3))


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=5):
    return torch.randn(n, 3)
