"""
title: is_integer of half a size
description: >
  (n / 2).is_integer() is a question to a number of floating point, answered while tracing: the
  capture holds for the answer of its example.
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
