"""
title: torch.sym_ite of two constants, scaled by a size
description: >
  The choice is between 1 and 0, two values of one type, and arithmetic with the size brings in the
  rest.
tags: [torch.sym-scalar, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        n = x.shape[0]
        return x * (100 + (n - 100) * torch.sym_ite(n > 8, 1, 0))


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=5):
    return torch.randn(n)
