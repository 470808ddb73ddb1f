"""
title: torch.cond on whether there is more than one element
description: >
  torch.cond puts the comparison itself into the graph instead of asking for its answer, so what
  tracing assumes about sizes 0 and 1 does not settle it, and both branches stay.
tags: [torch.cond, torch.dynamic-shape, torch.zero-one]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        return torch.cond(x.shape[0] >= 2, lambda x: x + 1, lambda x: x * 100, (x,))


dynamic_shapes = {"x": {0: Dim("n", min=1)}}


def inputs(n=5):
    return torch.randn(n)
