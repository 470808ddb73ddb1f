"""
title: Dynamic size floor-divided by a bool
description: >
  Python counts True as 1, so a size // True is the size. The floor division of symbols wants
  numbers, and raises out of the tracer.
tags: [torch.sym-scalar, torch.dynamic-shape]
rewrites: [symbolic_scalars/size_divided_by_flag_as_int]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        return x * (x.shape[0] // True)


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=5):
    return torch.randn(n, 3)
