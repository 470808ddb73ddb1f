"""
title: torch.sym_ite in place of a dict lookup by size
description: >
  The comparison of the size is an expression of the graph, so one graph serves every size.
tags: [torch.dynamic-shape, torch.sym-scalar]
allow:
  L056: the case is about one size that has a scale of its own
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        return x * torch.sym_ite(x.shape[0] == 6, 2, 1)


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=6):
    return torch.randn(n, 4)
