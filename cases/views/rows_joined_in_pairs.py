"""
title: Two rows joined into one by a slice and reshape
description: >
  The slice takes an even number of rows, so that reshape finds as many elements as it asks for,
  whatever the size. Nothing is changed in place.
tags: [torch.view, torch.dynamic-shape, torch.sym-scalar]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        y = x * 2
        pairs = x.shape[0] // 2
        return y[: pairs * 2].reshape(pairs, 8).flip(1) + 1


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=7):
    return torch.randn(n, 4)
