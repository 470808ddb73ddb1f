"""
title: torch.cond branches that both return a contiguous tensor
description: >
  Each branch ends with contiguous(), so the results have the same strides whichever branch ran.
tags: [torch.cond, torch.stride, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        def long(x):
            return x.t().contiguous()

        def short(x):
            return x.t().clone(memory_format=torch.contiguous_format)

        return torch.cond(x.shape[0] > 4, long, short, (x,)) * 2


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=6):
    return torch.randn(n, 3)
