"""
title: max_unpool2d to an odd size, places of adaptive_max_pool2d, and volumes resized
description: >
  The odd size has to be asked for, as the pooled one is the same for two sizes. The places are
  counted within the whole image, and a volume is interpolated along all three of its axes.
tags: [torch.sweep, torch.operator]
"""

import torch
from torch.nn import functional as F


class Model(torch.nn.Module):
    def forward(self, x):
        # In every window the last element is the largest, so that the last row and column of an
        # odd image stay free, and a kernel of three reaches them.
        pooled, at = F.max_pool2d(x, 3, 2, return_indices=True)
        undone = F.max_unpool2d(pooled, at, 3, 2, output_size=(7, 9))
        largest, places = F.adaptive_max_pool2d(x, (2, 3), return_indices=True)
        volume = x[None, None]
        grown = F.interpolate(volume, (5, 11, 4), mode="trilinear")
        aligned = F.interpolate(volume, (4, 8, 12), mode="trilinear", align_corners=True)
        return undone, largest, places, grown, aligned


def inputs():
    return (torch.arange(126.0).reshape(2, 7, 9) + torch.rand(2, 7, 9),)
