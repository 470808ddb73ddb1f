"""
title: -(n // 2) in place of int(-n / 2)
description: >
  The quotient is positive, so rounding down and truncating are the same; it is negated
  afterwards.
tags: [torch.sym-scalar, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        return x - x.shape[0] // 2


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=5):
    return torch.randn(n, 3)
