"""
title: interpolate by a factor of a dynamic size
description: >
  The new length is the old one times 0.5 and rounded down, a symbolic float that becomes an
  int. Half of a length of 2 or 3 is 1, which tracing takes to be impossible for a size, and the
  length of the example may be kept instead.
rewrites: [dynamic_shapes/interpolate_by_factor_range_from_four]
narrower: {dynamic_shapes/interpolate_by_factor_range_from_four: lengths of 2 and 3}
pitfalls: [dynamic_shapes/interpolate_to_int_of_half]
tags: [torch.dynamic-shape, torch.sym-scalar, torch.zero-one]
errors: [E0102]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        y = torch.nn.functional.interpolate(x, scale_factor=0.5, mode="linear")
        return y / y.shape[-1]


dynamic_shapes = {"x": {2: Dim("n", min=2, max=32)}}


def inputs(n=11):
    return torch.randn(1, 3, n)
