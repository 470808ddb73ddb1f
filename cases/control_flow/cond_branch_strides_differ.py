"""
title: torch.cond branches whose results are laid out differently
description: >
  Both branches return the transposed matrix, one copied into rows, the other as clone leaves it,
  in columns. Values and shapes agree and strides do not; a graph has to promise one layout.
  contiguous() in both branches gives it.
tags: [torch.cond, torch.stride, torch.dynamic-shape]
rewrites: [control_flow/cond_branches_contiguous]
errors: [E0401]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        def long(x):
            return x.t().contiguous()

        def short(x):
            return x.t().clone()

        return torch.cond(x.shape[0] > 4, long, short, (x,)) * 2


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=6):
    return torch.randn(n, 3)
