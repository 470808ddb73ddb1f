"""
title: 1 - 2 * (n % 2) in place of (-1) ** n
description: >
  1 - 2 * (n % 2) is 1 for an even size and -1 for an odd one, in integer arithmetic that a tracer
  follows.
tags: [torch.sym-scalar, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        return x * (1 - 2 * (x.shape[0] % 2))


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=6):
    return torch.randn(n, 4)
