"""
title: math.sqrt of a dynamic size
description: >
  The scale of attention with a dynamic width. math.sqrt is a C function that wants a number;
  a tracer that does not replace the call bakes the size of the example in. A power of one half is
  an expression of the size.
tags: [torch.sym-scalar, torch.specialization, python.builtin]
rewrites: [symbolic_scalars/power_of_one_half]
pitfalls: [symbolic_scalars/python_float]
errors: [E0101]
"""

import math

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, q, k):
        return q @ k.transpose(0, 1) / math.sqrt(q.shape[1])


d = Dim("d", min=2, max=16)
dynamic_shapes = {"q": {1: d}, "k": {1: d}}


def inputs(d=5):
    return torch.randn(3, d), torch.randn(4, d)
