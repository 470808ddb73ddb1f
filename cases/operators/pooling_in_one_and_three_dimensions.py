"""
title: 'avg_pool and max_pool in 1d and 3d: ceil_mode, count_include_pad, dilation'
description: >
  Whether the padding counts in an average, whether a last, incomplete window is kept, dilation
  and adaptive sizes: each is an argument that a backend may ignore without an error.
tags: [torch.sweep, torch.dynamic-shape]
"""

import torch
from torch.export import Dim
from torch.nn import functional as F


class Model(torch.nn.Module):
    def forward(self, x, volume):
        average = (
            F.avg_pool1d(x, 3, 2, 1, ceil_mode=True, count_include_pad=False),
            F.avg_pool1d(x, 3),
        )
        maximum = F.max_pool1d(x, 3, 2, padding=1, dilation=2), F.max_pool3d(volume, 2, 1)
        adaptive = F.adaptive_avg_pool1d(x, 5), F.adaptive_max_pool1d(x, 4)
        cubes = F.avg_pool3d(volume, 2, 1, 1), F.adaptive_avg_pool3d(volume, (2, 1, 3))
        return average, maximum, adaptive, cubes, F.lp_pool1d(x, 2.0, 3)


n = Dim("n", min=1, max=16)
dynamic_shapes = {"x": {0: n}, "volume": {0: n}}


def inputs(n=9):
    return torch.randn(n, 2, 12) - 2, torch.randn(n, 2, 4, 5, 6) - 2
