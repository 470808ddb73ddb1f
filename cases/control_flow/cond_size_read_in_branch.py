"""
title: Size read inside a torch.cond branch
description: >
  The tensor is the only operand; each branch asks it for its size, which is a symbol there as
  well.
tags: [torch.cond, torch.dynamic-shape, torch.sym-scalar]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        def long(x):
            return x / x.shape[0]

        def short(x):
            return x - x.shape[0]

        return torch.cond(x.shape[0] > 4, long, short, (x,))


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=6):
    return torch.randn(n)
