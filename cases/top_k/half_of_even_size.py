"""
title: topk with k half of an even size
description: >
  The size is declared as twice a Dim, so half of it is the Dim itself and at most the size for
  every value.
tags: [torch.derived-dim, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        values, _ = torch.topk(x, x.shape[0] // 2)
        return values


dynamic_shapes = {"x": {0: 2 * Dim("half", min=2, max=16)}}


def inputs(half=5):
    return torch.randn(2 * half)
