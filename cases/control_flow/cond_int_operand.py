"""
title: torch.cond with an int among the operands
description: >
  The number of rows is handed to the branches as an operand. Operands are tensors, so an int or a
  symbolic size is refused unless a tracer of bytecode sorts it out beforehand. The branches may
  read the size themselves, from the tensor.
tags: [torch.cond, torch.dynamic-shape, torch.sym-scalar]
rewrites: [control_flow/cond_size_read_in_branch]
errors: [E0414]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        rows = x.shape[0]
        return torch.cond(rows > 4, lambda x, n: x / n, lambda x, n: x - n, (x, rows))


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=6):
    return torch.randn(n)
