"""
title: torch.cond on whether a size is a multiple of three
description: >
  The remainder is computed from the size at every call and both branches stay in the graph.
tags: [torch.cond, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        return torch.cond(x.shape[0] % 3 == 0, lambda x: x * 2, lambda x: x - 1, (x,))


dynamic_shapes = {"x": {0: Dim("n", min=4, max=48)}}


def inputs(n=12):
    return torch.randn(n)
