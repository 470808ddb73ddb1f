"""
title: Upsampling twice, and upsampling before a pool, a convolution or pixel_unshuffle
description: >
  Nearest neighbours enlarged by two and by three are enlarged by six, which is not so of bilinear
  ones. A pool of two undoes an enlargement by two, not one by three, and one of shuffled pixels
  not at all.
tags: [torch.sweep, torch.decomposition]
tolerance: {rtol: 1.0e-3, atol: 1.0e-4}
"""

import torch
from torch.nn import functional as F


class Model(torch.nn.Module):
    def forward(self, x):
        near = F.interpolate(x, scale_factor=2.0)
        smooth = F.interpolate(x, scale_factor=2.0, mode="bilinear")
        smoother = F.interpolate(smooth, scale_factor=1.5, mode="bilinear")
        pooled = F.avg_pool2d(near, 2), F.avg_pool2d(near, 3), F.avg_pool2d(smooth, 2)
        larger = F.pixel_shuffle(x, 2)
        shuffled = F.pixel_unshuffle(larger, 4), F.avg_pool2d(larger, 2), F.pixel_unshuffle(near, 2)
        return F.interpolate(near, scale_factor=3.0), smoother, pooled, shuffled


def inputs():
    return (torch.randn(2, 8, 6, 10),)
