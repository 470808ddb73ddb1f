"""
title: Comparison of a dynamic size combined with 1 by &
description: >
  In Python a bool & 1 is an int, and a mask to which it is added becomes an integer tensor. For a
  symbol the result is a bool, and the mask stays a mask.
tags: [torch.sym-scalar, torch.dynamic-shape, torch.dtype]
rewrites: [symbolic_scalars/comparison_of_size_by_sym_ite]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        return (x > 0) + ((x.shape[0] > 4) & 1)


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=5):
    return torch.randn(n, 3)
