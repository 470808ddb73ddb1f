"""
title: Mean over rows counted by a tensor operation
description: >
  The rows are counted by summing a one for each, which gives a tensor, and clamp makes it at
  least one. The data says how many there are, so nothing that tracing assumes about sizes can
  simplify it.
tags: [torch.dynamic-shape, torch.zero-one]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        rows = torch.ones_like(x[:, 0]).sum()
        return x.sum(0) / rows.clamp(min=1)


dynamic_shapes = {"x": {0: Dim("n", min=0, max=8)}}


def inputs(n=4):
    return torch.randn(n, 3)
