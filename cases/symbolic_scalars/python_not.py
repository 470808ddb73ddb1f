"""
title: Python's not of a comparison of sizes
description: >
  not must return True or False, so the comparison is answered for the example. torch.sym_not
  negates the symbolic bool and leaves it symbolic.
tags: [torch.sym-scalar, torch.guard]
rewrites: [symbolic_scalars/sym_not]
errors: [E0102]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        short = not x.shape[0] > 8
        return torch.cond(short, lambda x: x + 1, lambda x: x * 100, (x,))


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=5):
    return torch.randn(n)
