"""
title: Rotary base that changes for long sequences
description: >
  Beyond eight positions the frequencies are stretched by how much longer the sequence is. The if
  is on the length, and a capture from one example has one side of it. The rewrite takes the larger
  of length and limit, which is one expression for both sides.
tags: [torch.attention, python.control-flow, torch.guard, torch.sym-scalar]
rewrites: [transformers/rotary_base_scaled_by_sym_max]
pitfalls: [dynamic_shapes/branch_on_size_auto]
errors: [E0102]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        n = x.shape[0]
        positions = torch.arange(n)
        if n > 8:
            positions = positions * (8 / n)
        return x * torch.outer(positions, 0.1 ** torch.arange(4)).cos()


dynamic_shapes = {"x": {0: Dim("n", min=1, max=16)}}


def inputs(n=5):
    return (torch.randn(n, 4),)
