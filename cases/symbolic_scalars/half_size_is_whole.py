"""
title: (n / 2).is_integer() of a dynamic size
description: >
  is_integer() asks a float for its value, so the question is answered while tracing, and the
  capture holds for the answer of its example. The rewrite compares a remainder with zero.
tags: [torch.sym-scalar, torch.dynamic-shape]
rewrites: [symbolic_scalars/remainder_of_size_is_zero]
errors: [E0132]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        return x * (x.shape[0] / 2).is_integer()


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=6):
    return (torch.randn(n, 3),)
