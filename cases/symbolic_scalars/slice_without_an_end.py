"""
title: A slice that is left open at its end
description: >
  Without an end nothing has to be cut to the rows that there are. How many rows are left is an
  expression of the size; the range leaves at least two of them, so none of the special cases of
  no row and of one is met.
tags: [torch.sym-scalar, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        return x[3:] * 2


dynamic_shapes = {"x": {0: Dim("n", min=5, max=16)}}


def inputs(n=7):
    return torch.randn(n, 3)
