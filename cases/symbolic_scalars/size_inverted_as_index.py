"""
title: Row counted from the end with ~i
description: >
  ~i is the index of the row that is as far from the end as row i is from the beginning. A
  symbolic size has no such operator.
tags: [torch.sym-scalar, torch.dynamic-shape]
rewrites: [symbolic_scalars/index_from_the_end_in_tensor]
errors: [E0132]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        middle = x.shape[0] // 2
        return x + x[~middle]


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=6):
    return (torch.randn(n, 3),)
