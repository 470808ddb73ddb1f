"""
title: Convolutions with bias, dilation, padding and groups in 2d and 3d
description: >
  The bias is added once for each channel, dilation spreads the kernel, and a transposed
  convolution has output padding as well. A backend that ignores one of these arguments gives
  other numbers.
tags: [torch.sweep, torch.dynamic-shape]
tolerance: {rtol: 0.0001, atol: 0.0001}
allow:
  L055: the case is about the arguments of its operators, and samples have other sizes
"""

import torch
from torch.export import Dim
from torch.nn import functional as F


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("w", torch.linspace(-1, 1, 48).reshape(4, 2, 2, 3))
        self.register_buffer("b", torch.tensor([0.5, -1.0, 2.0, 3.0]))

    def forward(self, image, volume):
        cube, line = self.w[:, :, :, :, None], self.w[:, :, 0]
        planes = (
            F.conv2d(image, self.w, self.b, dilation=(1, 2), groups=2),
            F.conv2d(image[:, :2], self.w, self.b, (2, 1), "valid"),
        )
        cubes = F.conv3d(volume, cube, self.b, (1, 2, 1), (1, 0, 1), (2, 1, 1), groups=2)
        back = (
            F.conv_transpose1d(image[:, :, 0], line, self.b, groups=2, dilation=2),
            F.conv_transpose2d(image, self.w, self.b, (2, 3), (0, 1), (1, 2), 2, (2, 1)),
            F.conv_transpose3d(volume, cube, self.b[:2], 2, 1, 1, dilation=(2, 1, 1)),
        )
        return planes, cubes, back, F.conv1d(image[:, :2, 0], line, self.b, padding=2)


n = Dim("n", min=1, max=16)
dynamic_shapes = {"image": {0: n}, "volume": {0: n}}


def inputs(n=5):
    return torch.randn(n, 4, 7, 6), torch.randn(n, 4, 5, 6, 4)
