"""
title: torch.cond branches that return different dtypes
description: >
  One branch counts in integers, the other sums in floats. The dtype of the result would depend on
  the branch taken, and a graph must know it beforehand. In eager mode a predicate made from sizes is an
  ordinary bool, so the program runs. The rewrite converts inside the branches, where both results
  get the same dtype, instead of after the cond.
tags: [torch.cond, torch.dtype, torch.dynamic-shape]
rewrites: [control_flow/cond_branches_same_dtype]
references: [pytorch#108029, pytorch#138926]
errors: [E0401, E0610]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        def count(x):
            return (x > 0).sum()

        def total(x):
            return x.sum()

        return torch.cond(x.shape[0] > 4, count, total, (x,)).to(x.dtype)


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=5):
    return torch.randn(n)
