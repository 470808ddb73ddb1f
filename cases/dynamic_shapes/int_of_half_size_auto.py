"""
title: int(n / 2) of a size marked Dim.AUTO
description: >
  Python's int() of a symbolic float makes the size of the example a constant, and Dim.AUTO
  permits it: the capture works for that size and for no other. Divide with // instead, or convert
  with torch.sym_int.
tags: [torch.sym-scalar, torch.specialization, torch.dim-hint]
references: [pytorch#138853]
dims: {n: {min: 4, max: 32}}
rewrites: [dynamic_shapes/half_size_floor_division, dynamic_shapes/half_size_sym_int]
"""
import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        return x[: int(x.shape[0] / 2)]


dynamic_shapes = {"x": {0: Dim.AUTO}}


def inputs(n=7):
    return torch.randn(n)
