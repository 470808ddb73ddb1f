"""
title: torch.cond branches that return a size as a tensor
description: >
  Each branch turns its number into a tensor of one element, which is what a branch may return.
tags: [torch.cond, torch.sym-scalar, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        def long(x):
            return torch.full((), x.shape[0])

        def short(x):
            return torch.full((), 2 * x.shape[0])

        return x * torch.cond(x.shape[0] > 4, long, short, (x,))


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=6):
    return torch.randn(n)
