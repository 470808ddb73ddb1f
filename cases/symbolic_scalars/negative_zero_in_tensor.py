"""
title: -0.0 times a dynamic size in a tensor
description: >
  The product is computed by an operator, which keeps the sign of zero.
tags: [torch.sym-scalar, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        zero = torch.full((), -0.0) * x.shape[0]
        return x * torch.copysign(torch.ones(()), zero)


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=5):
    return torch.randn(n, 3)
