"""
title: torch.sym_int of a scaled size
description: >
  An output length computed with a fractional factor, as in resizing: torch.sym_int cuts the
  symbolic float down to a symbolic int, rounding toward zero.
tags: [torch.sym-scalar, torch.dynamic-shape]
references: [pytorch#138853]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        return torch.ones(torch.sym_int(x.shape[0] * 1.5), 3)


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=5):
    return torch.randn(n)
