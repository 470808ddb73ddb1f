"""
title: topk with a constant k and a range that begins at k
description: >
  The declared range says that there are always at least five values, so topk with k=5 is legal
  for every size and no smaller k is needed. Fewer values have to be refused.
tags: [torch.dynamic-shape, torch.guard]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        values, _ = torch.topk(x, 5)
        return values


dynamic_shapes = {"x": {0: Dim("n", min=5, max=32)}}


def inputs(n=9):
    return torch.randn(n)
