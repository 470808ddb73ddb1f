"""
title: n.bit_length() of a dynamic size
description: >
  bit_length() is a method of plain ints: calling it on a symbolic size makes the size a constant.
  The rewrite compares the size with powers of two.
tags: [torch.sym-scalar, torch.dynamic-shape]
rewrites: [symbolic_scalars/power_of_two_by_comparisons]
errors: [E0101]
"""

import torch
import torch.nn.functional as F
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        n = x.shape[0]
        return F.pad(x, (0, (1 << (n - 1).bit_length()) - n))


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=6):
    return (torch.randn(n),)
