"""
title: torch.sym_ite of a symbolic int and a plain int
description: >
  torch.sym_ite compares the types of its two values. A size is an int in eager and a symbolic int
  while tracing, so together with a constant they are alike in eager only. Choose between two
  constants, or between two expressions of sizes.
tags: [torch.sym-scalar]
rewrites: [symbolic_scalars/sym_ite_of_constants]
errors: [E0111, E0506]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        n = x.shape[0]
        return x * torch.sym_ite(n > 8, n, 100)


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=5):
    return torch.randn(n)
