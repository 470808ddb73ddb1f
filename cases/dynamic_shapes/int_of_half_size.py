"""
title: int(n / 2) of a dynamic size
description: >
  n / 2 is a symbolic float, and Python makes sure that int() returns a real int, so half the size
  of the example becomes a constant, unless the tracer reads the call itself and replaces it.
  Divide with // instead, or convert with torch.sym_int.
tags: [torch.sym-scalar, torch.specialization, python.builtin]
references: [pytorch#138853]
rewrites: [dynamic_shapes/half_size_floor_division, dynamic_shapes/half_size_sym_int]
pitfalls: [dynamic_shapes/int_of_half_size_auto]
errors: [E0101]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        return torch.arange(int(x.shape[0] / 2))


dynamic_shapes = {"x": {0: Dim("n", min=4, max=32)}}


def inputs(n=7):
    return torch.randn(n)
