"""
title: Skip connection of a U-Net whose image is halved and doubled again
description: >
  A convolution with stride two halves the image, interpolate doubles it, and the two are joined.
  That fits for even sizes alone, which is what the caller declares, 2 * h.
tags: [torch.derived-dim, torch.dynamic-shape]
"""

import torch
from torch.export import Dim
from torch.nn.functional import interpolate


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.down = torch.nn.Conv2d(2, 2, 3, stride=2, padding=1)

    def forward(self, x):
        y = interpolate(self.down(x), scale_factor=2.0)
        return torch.cat([x, y], dim=1)


h, w = Dim("h", min=2, max=16), Dim("w", min=2, max=16)
dynamic_shapes = {"x": {2: 2 * h, 3: 2 * w}}


def inputs(h=5, w=7):
    return (torch.randn(1, 2, 2 * h, 2 * w),)
