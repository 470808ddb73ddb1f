"""
title: Padding by the remainder in place of a branch on parity
description: >
  The width of the padding is n % 2 itself, zero for even lengths, so there is nothing to ask.
tags: [torch.sym-scalar, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        return torch.nn.functional.pad(x, (0, x.shape[0] % 2)) + 1


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=5):
    return torch.randn(n)
