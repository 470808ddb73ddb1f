"""
title: torch.sym_max of two dynamic sizes
description: >
  torch.sym_max keeps the larger of two sizes as an expression, which may be a size itself. No
  comparison is answered while tracing.
tags: [torch.sym-scalar, torch.dynamic-shape]
references: [pytorch#150851]
errors: [E0504]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x, y):
        return torch.ones(torch.sym_max(x.shape[0], y.shape[0]), 3)


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}, "y": {0: Dim("m", min=2, max=16)}}


def inputs(n=5, m=7):
    return torch.randn(n), torch.randn(m)
