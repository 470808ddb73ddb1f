"""
title: A comparison of a size, combined with 1 by &
description: >
  In Python a truth value & 1 is a whole number, and a mask to which it is added becomes a
  tensor of whole numbers. Of a symbol the result is a truth value, and the mask stays one.
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
