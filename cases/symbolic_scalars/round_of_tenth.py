"""
title: 10 * round(n / 10) of a dynamic size
description: >
  The quotient is rounded, half to even, as Python does, and then multiplied by ten.
tags: [torch.sym-scalar, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        return x / (10 * round(x.shape[0] / 10))


dynamic_shapes = {"x": {0: Dim("n", min=6, max=64)}}


def inputs(n=7):
    return torch.randn(n, 4)
