"""
title: "Upsampling: nearest, linear, bicubic, area, with and without corners aligned"
description: >
  nearest and nearest-exact choose another source pixel, align_corners moves every sample, and a
  factor that is given is used as it is while one that is worked out from sizes may differ in the
  last digit.
tags: [torch.sweep, torch.decomposition, torch.dynamic-shape]
tolerance: {rtol: 0.0001, atol: 0.0001}
"""

import torch
from torch.export import Dim
from torch.nn import functional as F


class Model(torch.nn.Module):
    def forward(self, image):
        nearest = F.interpolate(image, (7, 11)), F.interpolate(image, (7, 11), mode="nearest-exact")
        linear = (
            F.interpolate(image, scale_factor=1.5, mode="bilinear"),
            F.interpolate(image, (9, 4), mode="bilinear", align_corners=True),
        )
        cubic = (
            F.interpolate(image, (8, 9), mode="bicubic"),
            F.interpolate(image, (2, 3), mode="area"),
        )
        smooth = F.interpolate(image, (3, 4), mode="bilinear", antialias=True)
        return nearest, linear, cubic, smooth, F.interpolate(image[:, :, 0], 13, mode="linear")


dynamic_shapes = {"image": {0: Dim("n", min=1, max=16)}}


def inputs(n=10):
    return (torch.randn(n, 2, 5, 6),)
