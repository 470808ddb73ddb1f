"""
title: torch.cond branches that return a size
description: >
  The branches return numbers made of the dynamic size, not tensors. A tracer that follows the
  Python code sees symbolic ints, which are neither tensors nor constants. Choose between numbers
  with torch.sym_ite, or return them as tensors.
tags: [torch.cond, torch.sym-scalar, torch.dynamic-shape]
rewrites: [control_flow/cond_size_result_as_tensor]
errors: [E0415]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        scale = torch.cond(x.shape[0] > 4, lambda x: x.shape[0], lambda x: 2 * x.shape[0], (x,))
        return x * scale


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=6):
    return torch.randn(n)
