"""
title: int(-n / 2) of a dynamic size
description: >
  int() truncates towards zero, but a symbolic quotient is rounded down: what tracing finds out
  about it contradicts the example. The rewrite negates an integer quotient.
tags: [torch.sym-scalar, torch.dynamic-shape]
rewrites: [symbolic_scalars/negated_whole_quotient]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        return x + int(-x.shape[0] / 2)


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=5):
    return torch.randn(n, 3)
