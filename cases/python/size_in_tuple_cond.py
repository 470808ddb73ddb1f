"""
title: torch.cond on whether a size is one of two
description: >
  Both comparisons are joined by | into one symbolic bool, so the choice stays in the graph and
  is made anew in every call.
tags: [torch.cond, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        n = x.shape[0]
        return torch.cond((n == 4) | (n == 8), lambda x: x.sin(), lambda x: x.cos(), (x,))


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=5):
    return (torch.randn(n, 3),)
