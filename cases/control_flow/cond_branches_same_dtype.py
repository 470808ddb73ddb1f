"""
title: torch.cond branches converted to the same dtype
description: >
  Each branch converts its own result, so that both return the same dtype whatever they compute
  with inside.
tags: [torch.cond, torch.dtype, torch.dynamic-shape]
references: [pytorch#108029]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        def count(x):
            return (x > 0).sum().to(x.dtype)

        def total(x):
            return x.sum()

        return torch.cond(x.shape[0] > 4, count, total, (x,))


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=5):
    return torch.randn(n)
