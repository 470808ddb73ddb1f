"""
title: interpolate to a single pixel, row or column
description: >
  One pixel for all of an image: its middle where corners are not aligned, its first corner where
  they are. A scale that is computed from size minus one divides by zero here.
tags: [torch.operator, torch.dynamic-shape]
"""

import torch
from torch.export import Dim
from torch.nn import functional as F


class Model(torch.nn.Module):
    def forward(self, image, line):
        pixels = [F.interpolate(image, (1, 1), mode=m) for m in ("nearest", "bilinear", "bicubic")]
        corners = [F.interpolate(image, (1, 1), mode=m, align_corners=True) for m in ("bilinear",)]
        row = F.interpolate(image, (1, 3), mode="bilinear"), F.interpolate(image, (4, 1))
        smooth = F.interpolate(image, (1, 1), mode="bilinear", antialias=True)
        return pixels, corners, row, smooth, F.interpolate(line, 1, mode="linear")


n = Dim("n", min=1, max=16)
dynamic_shapes = {"image": {0: n}, "line": {0: n}}


def inputs(n=5):
    return torch.randn(n, 2, 4, 6), torch.randn(n, 3, 7)
