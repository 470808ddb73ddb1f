"""
title: torch.cond branch that appends to a list outside
description: >
  A branch leaves an intermediate result in a list of the enclosing function. Both branches are
  traced, whichever is taken later, so what a branch does to Python objects cannot be undone.
  Return the intermediate result from both branches.
tags: [torch.cond, python.closure, python.data-structure]
rewrites: [control_flow/cond_branch_returns_both]
errors: [E0413]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        kept = []

        def long(x):
            kept.append(x.mean())
            return x - x.mean()

        def short(x):
            kept.append(x.amax())
            return x - x.amax()

        out = torch.cond(x.shape[0] > 4, long, short, (x,))
        return out * kept[0]


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=6):
    return torch.randn(n)
