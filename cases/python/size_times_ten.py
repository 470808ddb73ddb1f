"""
title: Dynamic size times ten
description: >
  The size stays a number from beginning to end, so it stays symbolic.
tags: [torch.dynamic-shape, torch.sym-scalar]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        percent = x.shape[0] * 10
        return x * percent


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=5):
    return torch.randn(n, 3)
