"""
title: torch.cond whose branches both depend on the input
description: >
  The branch of zeros multiplies the input by zero, so its result requires a gradient like that of
  the other branch; the gradient is zero.
tags: [torch.cond, torch.autograd, torch.dynamic-shape]
train: true
references: [pytorch#141259]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        def long(x):
            return x.tanh()

        def short(x):
            return x * 0

        return torch.cond(x.shape[0] > 4, long, short, (x,)) + x


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=6):
    return torch.randn(n, 3, requires_grad=True)
