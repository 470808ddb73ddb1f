"""
title: pow(n, 2, 5) of a dynamic size
description: >
  pow with three arguments asks for the power and its remainder at once; a symbolic size supports
  pow with two arguments only.
tags: [torch.sym-scalar, torch.dynamic-shape, python.builtin]
rewrites: [symbolic_scalars/square_then_remainder]
errors: [E0132]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        return x * pow(x.shape[0], 2, 5)


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=6):
    return (torch.randn(n, 3),)
