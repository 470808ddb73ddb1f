"""
title: adaptive_max_pool3d, max_pool3d with indices and max_unpool3d
description: >
  Adaptive pooling has windows of unequal size if the sizes do not divide, and indices of maxima
  count through the whole volume. Window, stride and padding differ in each dimension, which shows
  which of them a backend reads.
tags: [torch.sweep]
"""

import torch
from torch.nn import functional as F


class Model(torch.nn.Module):
    def forward(self, x):
        largest, places = F.adaptive_max_pool3d(x, (2, 3, 5), return_indices=True)
        mean = F.adaptive_avg_pool3d(x, (None, 1, 3))
        pooled, at = F.max_pool3d(x, (1, 2, 3), (1, 2, 2), return_indices=True)
        undone = F.max_unpool3d(pooled, at, (1, 2, 3), (1, 2, 2), output_size=x.shape[2:])
        plane, line = x[:, :, 0], x[:, :, 0, 0]
        planes = F.avg_pool2d(plane, (2, 3), (1, 2), (1, 0)), F.max_pool2d(plane, (3, 2), (2, 1))
        lines = F.max_pool1d(line, 3, 2, 1, 2, return_indices=True), F.lp_pool1d(line, 3.0, 2)
        shares = F.avg_pool2d(plane, 3, 2, 1, True, False), F.adaptive_max_pool2d(plane, (3, 2))
        return largest, places, mean, undone, planes, lines, shares


def inputs():
    return (torch.randn(1, 2, 4, 5, 7),)
