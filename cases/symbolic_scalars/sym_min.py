"""
title: torch.sym_min of a dynamic size and a constant
description: >
  torch.sym_min keeps the smaller of the two as an expression, so sizes on both sides of the
  constant are served.
tags: [torch.sym-scalar, torch.dynamic-shape]
references: [pytorch#150851]
errors: [E0504]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        return torch.ones(torch.sym_min(x.shape[0], 8), 3)


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=5):
    return torch.randn(n)
