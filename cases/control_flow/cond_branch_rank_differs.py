"""
title: torch.cond branches that return different numbers of dimensions
description: >
  One branch averages the rows away, the other keeps them: the rank of the result would depend on
  the branch taken, and a graph must know it beforehand. The rewrite keeps the averaged dimension
  with size 1; sizes may differ between branches where ranks may not.
tags: [torch.cond, torch.dynamic-shape]
rewrites: [control_flow/cond_branches_same_rank]
references: [pytorch#138926]
errors: [E0401, E0610]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        def average(x):
            return x.mean(0)

        def keep(x):
            return x.clone()

        out = torch.cond(x.shape[0] > 4, average, keep, (x,))
        return out.cos().sum()


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=5):
    return torch.randn(n, 3)
