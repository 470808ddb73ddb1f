"""
title: Python's max of two dynamic sizes
description: >
  max() compares two sizes and returns one of them, an if in disguise. Unless the tracer puts
  torch.sym_max in its place, the answer of the example stays. Written by hand, torch.sym_max does
  not depend on that.
tags: [torch.sym-scalar, torch.guard, python.builtin]
references: [pytorch#150851, pytorch#150003]
rewrites: [symbolic_scalars/sym_max]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x, y):
        return torch.ones(max(x.shape[0], y.shape[0]), 3)


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}, "y": {0: Dim("m", min=2, max=16)}}


def inputs(n=5, m=7):
    return torch.randn(n), torch.randn(m)
