"""
title: scan over possibly one row only
description: >
  The range begins at 1: a single row makes one step, and the result has one output. The first
  step must not be taken for a case of its own.
tags: [torch.scan, torch.dynamic-shape, torch.zero-one]
"""

import torch
from torch._higher_order_ops import scan
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, xs):
        def step(best, x):
            best = torch.maximum(best, x)
            return best, best - x

        return scan(step, torch.full((3,), -10.0), xs)


dynamic_shapes = {"xs": {0: Dim("n", min=1, max=16)}}


def inputs(n=5):
    return torch.randn(n, 3)
