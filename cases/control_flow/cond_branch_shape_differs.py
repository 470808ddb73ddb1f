"""
title: torch.cond branches that return different numbers of dimensions
description: >
  The rank of the result would depend on the branch taken, and a graph must know it beforehand.
  The rewrite keeps the dimension that one branch drops, and drops it after the cond where both
  branches agree again.
tags: [torch.cond, torch.dynamic-shape]
references: [pytorch#138926]
"""
import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        def mean(x):
            return x.mean(0)

        def same(x):
            return x.clone()

        return torch.cond(x.shape[0] > 4, mean, same, (x,))


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=5):
    return torch.randn(n, 3)
