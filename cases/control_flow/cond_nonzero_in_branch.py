"""
title: torch.cond branch that filters by a mask
description: >
  One branch keeps the positive elements, the other all of them. How many are kept depends on the
  data, inside of the branch first and then in the result, whose size may be anything down to
  zero.
tags: [torch.cond, torch.data-dependent-shape, torch.unbacked-symbol]
requires: [values]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        def filtered(x):
            return x[x > 0]

        def whole(x):
            return x * 2

        return torch.cond(x.max() > 1, filtered, whole, (x,))


dynamic_shapes = {"x": {0: Dim("n", min=3, max=16)}}


def inputs(n=6):
    return torch.randn(n) * 3


def accepts():
    yield torch.tensor([2.0, -1.0, 0.5, -2.0])
    yield torch.tensor([2.0, -1.0, -0.5])
    yield -torch.rand(5)
