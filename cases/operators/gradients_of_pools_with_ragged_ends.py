"""
title: Gradients of pools whose last windows reach over the edge
description: >
  A window over the edge divides by what is in it, and its gradient by the same.
tags: [torch.autograd, torch.dynamic-shape]
train: true
"""

import torch
import torch.nn.functional as F
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        pools = [F.max_pool2d(x, 3, 2, 1, ceil_mode=True), F.avg_pool2d(x, 2, ceil_mode=True)]
        pools += [F.adaptive_avg_pool2d(x, 3), F.max_pool2d(x, 2, 1, dilation=2)]
        pools += [F.adaptive_max_pool2d(x, (3, 2))]
        return pools, F.unfold(x, 2, 2, 1, 3)


dynamic_shapes = {"x": {0: Dim("n", min=2, max=8)}}


def inputs(n=7):
    return (torch.randn(n, 3, 5, 4, requires_grad=True),)
