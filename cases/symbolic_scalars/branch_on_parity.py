"""
title: Branch on whether a size is odd or even
description: >
  Only odd lengths are padded. The condition holds on every second size of the range, so no range
  can express it: a derived dim 2 * half can, or arithmetic with the remainder in place of the if.
tags: [torch.sym-scalar, torch.guard, python.control-flow]
rewrites: [symbolic_scalars/parity_in_arithmetic]
pitfalls: [dynamic_shapes/branch_on_multiple_auto]
errors: [E0102]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        if x.shape[0] % 2 == 1:
            x = torch.nn.functional.pad(x, (0, 1))
        return x + 1


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=5):
    return torch.randn(n)
