"""
title: Quotient and remainder of a size by // and %
description: >
  Each operator is asked for by itself, and each is arithmetic of symbols. No function of Python
  has to take a size.
tags: [torch.dynamic-shape, torch.sym-scalar]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        whole, rest = x.shape[0] // 3, x.shape[0] % 3
        return x * whole + rest


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=5):
    return torch.randn(n)
