"""
title: interpolate with align_corners, antialias, three dims and recompute_scale_factor=False
description: >
  With aligned corners the distance of two pixels is a quotient of sizes that are one smaller; a
  factor that is kept for the coordinates is not the ratio of the sizes where one was rounded.
tags: [torch.operator, torch.dynamic-shape]
"""

import torch
import torch.nn.functional as F
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        cubic = F.interpolate(x, size=(9, 4), mode="bicubic", align_corners=True)
        smooth = F.interpolate(
            x, scale_factor=0.6, mode="bilinear", antialias=True, recompute_scale_factor=False
        )
        cubic_smooth = F.interpolate(x, (3, 9), mode="bicubic", antialias=True, align_corners=True)
        corners = F.interpolate(x, (3, 2), mode="bilinear", antialias=True, align_corners=True)
        volume = F.interpolate(
            x[None], scale_factor=(1.5, 1.3, 0.7), mode="trilinear", align_corners=False
        )
        aligned = F.interpolate(x[None], size=(2, 9, 2), mode="trilinear", align_corners=True)
        line = [F.interpolate(x[:, 0], scale_factor=1.7, mode="linear")]
        line += [F.interpolate(x[:, 1], 4, mode="nearest-exact")]
        squares = [F.interpolate(x, (4, 4), mode="bilinear")]
        squares += [F.interpolate(x, 2, mode="nearest-exact")]
        return cubic, smooth, cubic_smooth, corners, volume, aligned, line, squares


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=7):
    return (torch.rand(n, 2, 5, 6),)
