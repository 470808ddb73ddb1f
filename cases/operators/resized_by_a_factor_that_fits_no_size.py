"""
title: interpolate with scale_factor=1.7 and recompute_scale_factor
description: >
  With a factor of 1.7 the output size is rounded down while the factor is used as given. If the
  factor is computed anew from the sizes, as with recompute_scale_factor, every source pixel lies
  a little elsewhere.
tags: [torch.decomposition, torch.dynamic-shape]
tolerance: {rtol: 0.0001, atol: 0.0001}
"""

import torch
from torch.export import Dim
from torch.nn import functional as F


class Model(torch.nn.Module):
    def forward(self, image):
        lines = image[:, :, 0]
        given = [
            F.interpolate(image, scale_factor=(1.7, 0.6), mode=mode)
            for mode in ("nearest", "nearest-exact", "bilinear", "bicubic")
        ]
        corners = F.interpolate(image, scale_factor=1.7, mode="bilinear", align_corners=True)
        again = F.interpolate(image, scale_factor=1.7, mode="bilinear", recompute_scale_factor=True)
        line = (
            F.interpolate(lines, scale_factor=1.7, mode="linear"),
            F.interpolate(lines, scale_factor=1.7),
            F.interpolate(lines, 4, mode="linear", align_corners=True),
        )
        return given, corners, again, line


dynamic_shapes = {"image": {0: Dim("n", min=1, max=16)}}


def inputs(n=3):
    return (torch.randn(n, 2, 5, 7),)
