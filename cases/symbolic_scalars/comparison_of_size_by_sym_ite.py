"""
title: torch.sym_ite of 1 and 0 in place of `(n > 4) & 1`
description: >
  torch.sym_ite chooses 1 or 0, integers for Python and for a symbol alike, so a mask to which the
  result is added becomes an integer tensor, and the comparison stays symbolic.
tags: [torch.sym-scalar, torch.dynamic-shape, torch.dtype]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        return (x > 0) + torch.sym_ite(x.shape[0] > 4, 1, 0)


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=5):
    return torch.randn(n, 3)
