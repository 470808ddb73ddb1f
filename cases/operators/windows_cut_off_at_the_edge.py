"""
title: avg_pool2d and max_pool2d with ceil_mode, padding and divisor_override
description: >
  ceil_mode keeps the window that the edge cuts off; whether the padding counts, the divisor and
  the dilation each change the numbers. Maxima of negative numbers show a padding with zeros.
tags: [torch.operator, torch.dynamic-shape]
"""

import torch
from torch.export import Dim
from torch.nn import functional as F


class Model(torch.nn.Module):
    def forward(self, image, volume):
        average = (
            F.avg_pool2d(image, 3, 2, 1, ceil_mode=True),
            F.avg_pool2d(image, 2, padding=1, count_include_pad=False),
            F.avg_pool2d(image, (2, 3), divisor_override=5),
        )
        maximum = (
            F.max_pool2d(image, 2, 2, padding=1, dilation=2, ceil_mode=True),
            F.max_pool1d(image[:, 0], 3, 2, 1, ceil_mode=True),
        )
        cubes = (
            F.avg_pool3d(volume, 2, 2, 1, True, False),
            F.avg_pool3d(volume, 2, divisor_override=3),
            F.max_pool3d(volume, 2, 2, 1, 2, ceil_mode=True),
        )
        places = F.max_pool2d(image, 3, 2, 1, ceil_mode=True, return_indices=True)
        return average, maximum, cubes, places, F.adaptive_avg_pool2d(image, (3, 4))


n = Dim("n", min=1, max=16)
dynamic_shapes = {"image": {0: n}, "volume": {0: n}}


def inputs(n=9):
    return torch.randn(n, 2, 7, 8) - 3, torch.randn(n, 2, 5, 6, 7) - 3
