"""
title: Channels shuffled between groups by a view, a transpose and a reshape (ShuffleNet)
description: >
  The transpose between the two reshapes is the shuffle: without it the reshapes cancel. With the
  groups counted the other way round, or the reshape to another grouping, the order is another
  one.
tags: [torch.view, torch.decomposition, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        n, c, h = x.shape
        shuffled = x.view(n, 2, c // 2, h).transpose(1, 2).reshape(n, c, h)
        back = shuffled.view(n, 2, -1, h).transpose(1, 2).reshape(n, c, h)
        undone = shuffled.view(n, -1, 2, h).transpose(1, 2).reshape(n, c, h)
        heads = x.view(n, c, 2, -1).permute(0, 2, 1, 3).reshape(n, 2, -1)
        return shuffled, back, undone - x, heads, heads.transpose(1, 2).reshape(n, c, h)


dynamic_shapes = {"x": {0: Dim("n", min=1, max=8)}}


def inputs(n=5):
    return (torch.randn(n, 6, 4),)
