"""
title: Half of a dynamic size with torch.sym_int
description: >
  torch.sym_int cuts a symbolic float down to a symbolic int, where int() would have to give a
  number.
tags: [torch.sym-scalar, torch.dynamic-shape]
references: [pytorch#138853]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        return torch.arange(torch.sym_int(x.shape[0] / 2))


dynamic_shapes = {"x": {0: Dim("n", min=4, max=32)}}


def inputs(n=7):
    return torch.randn(n)
