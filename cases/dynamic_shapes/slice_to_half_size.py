"""
title: Slice up to half of a dynamic size
description: >
  A slice is cut at the length of the tensor, so tracing has to know that n // 2 is not more than
  n. That is plain to a reader, but has to be proved from an expression with a rounded division in
  it; what cannot be proved becomes a guard. Picking the elements by index asks no such question.
tags: [torch.view, torch.sym-scalar, torch.guard]
rewrites: [dynamic_shapes/slice_to_half_size_indexed]
errors: [E0102]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        return x[: x.shape[0] // 2] * 2


dynamic_shapes = {"x": {0: Dim("n", min=4, max=32)}}


def inputs(n=7):
    return torch.randn(n)
