"""
title: torch.cond in place of a Python if on a dynamic size
description: >
  torch.cond takes the symbolic bool of a comparison between sizes and keeps both branches in the
  graph, so the whole declared range is served.
tags: [torch.cond, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        return torch.cond(x.shape[0] > 4, lambda x: x + 1, lambda x: x * 100, (x,))


dynamic_shapes = {"x": {0: Dim("n", min=2, max=32)}}


def inputs(n=7):
    return torch.randn(n)
