"""
title: Mean in double precision by a factor of 1 / number of rows
description: >
  One divided by the number of rows is a Python float of 64 bits. If it passes through single
  precision on the way, the eighth digit changes, which in double precision is wrong.
tags: [torch.dynamic-shape, torch.sym-scalar, torch.dtype]
tolerance: {rtol: 1.0e-12, atol: 1.0e-12}
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        n = x.shape[0]
        mean = x.sum(0) * (1 / n)
        return mean, (x - mean).square().sum(0) / (n - 1), x * (n / 7), x.cumsum(0) / n


dynamic_shapes = {"x": {0: Dim("n", min=2, max=64)}}


def inputs(n=11):
    return torch.randn(n, 3, dtype=torch.float64)
