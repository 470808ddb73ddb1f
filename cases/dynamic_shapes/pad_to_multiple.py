"""
title: Padding a dynamic size to a multiple
description: >
  Padding by -n % 4 makes any length divisible by four. That the padded length is a multiple holds
  for every n, but the engine has to prove it of an expression with a remainder in it before view
  may pass. Counting the blocks first makes the multiple plain.
tags: [torch.dynamic-shape, torch.view, torch.sym-scalar]
references: [pytorch#144852]
rewrites: [dynamic_shapes/pad_to_multiple_blocks_first]
pitfalls: [symbolic_scalars/branch_on_parity]
errors: [E0108]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        padded = torch.nn.functional.pad(x, (0, -x.shape[0] % 4))
        return padded.view(-1, 4).sum(1)


dynamic_shapes = {"x": {0: Dim("n", min=5, max=32)}}


def inputs(n=10):
    return torch.randn(n)
