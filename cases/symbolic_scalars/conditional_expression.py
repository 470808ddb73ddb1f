"""
title: Conditional expression on a dynamic size
description: >
  Python's "a if c else b" asks c for an answer at once and keeps the value of the example.
  torch.sym_ite makes an expression of the condition and both values.
tags: [torch.sym-scalar, torch.guard, python.control-flow]
rewrites: [symbolic_scalars/sym_ite]
pitfalls: [symbolic_scalars/sym_ite_mixed, control_flow/cond_size_result]
errors: [E0102]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        n = x.shape[0]
        return x * (n if n > 8 else 3 * n)


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=5):
    return torch.randn(n)
