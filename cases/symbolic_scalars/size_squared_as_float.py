"""
title: n ** 2.0 of a dynamic size
description: >
  A float as the exponent makes the power a float, in Python and for a symbol.
tags: [torch.sym-scalar, torch.dynamic-shape, torch.dtype]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        return torch.arange(3) * x.shape[0] ** 2.0


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=5):
    return torch.randn(n, 3)
