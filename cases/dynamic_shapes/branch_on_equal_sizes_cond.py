"""
title: torch.cond on whether two dynamic sizes are equal
description: >
  The comparison of the two symbols is the predicate of torch.cond, so neither answer has to be
  assumed while tracing.
tags: [torch.cond, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x, y):
        def equal(x, y):
            return x.sum() - y.sum()

        def different(x, y):
            return x.sum() * y.sum()

        return torch.cond(x.shape[0] == y.shape[0], equal, different, (x, y))


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}, "y": {0: Dim("m", min=2, max=16)}}


def inputs(n=5, m=7):
    return torch.randn(n), torch.randn(m)
