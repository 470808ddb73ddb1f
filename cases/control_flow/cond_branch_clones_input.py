"""
title: torch.cond with a clone in the identity branch
description: >
  A branch that changes nothing returns a clone of its operand, so the result of torch.cond never
  shares memory with an input, whichever branch runs.
tags: [torch.cond, torch.aliasing, torch.dynamic-shape]
references: [pytorch#153832]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        def double(x):
            return x * 2

        def same(x):
            return x.clone()

        return torch.cond(x.shape[0] > 4, double, same, (x,)) + 1


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=5):
    return torch.randn(n)
