"""
title: int(n ** 0.5) of a dynamic size
description: >
  A size to the power of one half is a symbolic float, but int() asks it for its value unless the
  tracer records int() as an operation: the root of the example becomes a constant. The rewrite
  takes the root of a tensor.
tags: [torch.sym-scalar, torch.dynamic-shape, python.builtin]
rewrites: [symbolic_scalars/side_of_square_in_tensor]
references: [pytorch#138853]
errors: [E0102]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        side = int(x.shape[0] ** 0.5)
        return x * side


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=6):
    return (torch.randn(n, 3),)
