"""
title: int(n / 2) of a size marked Dim.AUTO
description: >
  Where int() of a symbolic float turns half the size of the example into a constant, Dim.AUTO
  permits it without an error, and the guard that remains lets hardly any other size pass. Divide
  with // instead, or convert with torch.sym_int.
tags: [torch.sym-scalar, torch.specialization, torch.dim-hint]
references: [pytorch#138853]
dims: {n: {min: 4, max: 32}}
rewrites: [dynamic_shapes/half_size_floor_division, dynamic_shapes/half_size_sym_int]
errors: [E0103]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        return torch.arange(int(x.shape[0] / 2))


dynamic_shapes = {"x": {0: Dim.AUTO}}


def inputs(n=7):
    return torch.randn(n)
