"""
title: Rotary base scaled by the larger of length and limit
description: >
  torch.sym_max(n, 8) is the limit for short sequences and the length for long ones, so the scale
  is one expression in the size and no branch is taken while tracing.
tags: [torch.attention, torch.dynamic-shape, torch.sym-scalar]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        n = x.shape[0]
        positions = torch.arange(n) * (8 / torch.sym_max(n, 8))
        return x * torch.outer(positions, 0.1 ** torch.arange(4)).cos()


dynamic_shapes = {"x": {0: Dim("n", min=1, max=16)}}


def inputs(n=5):
    return (torch.randn(n, 4),)
