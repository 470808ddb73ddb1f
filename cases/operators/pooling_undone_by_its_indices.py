"""
title: max_pool2d with return_indices, undone by max_unpool2d
description: >
  The indices count within a whole image, not within a window; of equal maxima the first is taken.
  Unpooling puts each value back where it came from and zeros elsewhere.
tags: [torch.operator, torch.scatter, torch.dynamic-shape]
"""

import torch
from torch.export import Dim
from torch.nn import functional as F


class Model(torch.nn.Module):
    def forward(self, x):
        values, indices = F.max_pool2d(x, 2, return_indices=True)
        adapted = F.adaptive_max_pool2d(x, 3)
        return F.max_unpool2d(values, indices, 2), indices, F.avg_pool2d(x, (3, 2), 2), adapted


dynamic_shapes = {"x": {0: Dim("n", min=1, max=16)}}


def inputs(n=5):
    return (torch.randn(n, 2, 6, 8),)


def accepts():
    yield (torch.ones(2, 2, 6, 8),)
    yield (-torch.ones(2, 2, 6, 8),)
