"""
title: Python's min of a dynamic size and a constant
description: >
  min() compares and returns one of the two, an if in disguise. Unless the tracer puts
  torch.sym_min in its place, the answer of the example stays and limits the size to where it
  holds. Written by hand, torch.sym_min does not depend on that.
tags: [torch.sym-scalar, torch.guard, python.builtin]
references: [pytorch#150851]
rewrites: [symbolic_scalars/sym_min]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        return torch.ones(min(x.shape[0], 8), 3)


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=5):
    return torch.randn(n)
