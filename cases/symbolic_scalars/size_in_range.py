"""
title: '`n in range(...)` of a dynamic size'
description: >
  range() holds plain ints, so asking whether a symbolic size is among them makes the size a
  constant. The rewrite compares the size with both bounds.
tags: [torch.sym-scalar, torch.dynamic-shape, python.builtin, python.control-flow]
rewrites: [symbolic_scalars/size_between_bounds]
errors: [E0132]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        if x.shape[0] not in range(3, 8):
            raise ValueError("between 3 and 7 rows")
        return x * 2


dynamic_shapes = {"x": {0: Dim("n", min=3, max=7)}}


def inputs(n=5):
    return (torch.randn(n, 3),)
