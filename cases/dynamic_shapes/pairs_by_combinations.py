"""
title: Differences of all pairs by combinations
description: >
  torch.combinations picks its pairs by a mask inside of torch, and the number of what a mask
  picks depends on data.
tags: [torch.dynamic-shape, torch.operator]
requires: [values]
rewrites: [dynamic_shapes/pairs_by_broadcasting]
errors: [E0007]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        a, b = torch.combinations(torch.arange(x.shape[0])).unbind(1)
        return (x[a] - x[b]).abs().sum()


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=6):
    return (torch.randn(n, 3),)
