"""
title: List indexed by a comparison of a size
description: >
  [a, b][n > 4] is Python for a choice between two. A list wants a number as its index, and the
  comparison of a symbolic size is none while tracing.
tags: [torch.sym-scalar, torch.dynamic-shape, python.data-structure]
rewrites: [symbolic_scalars/number_chosen_by_sym_ite]
errors: [E0130]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        return x * [0.5, 2.0][x.shape[0] > 4]


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=6):
    return (torch.randn(n, 3),)
