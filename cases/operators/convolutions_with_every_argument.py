"""
title: Grouped, strided, dilated and transposed convolutions in 1d to 3d
description: >
  A grouped convolution, a dilated one, one with different padding at each side and transposed
  ones with output padding: every argument changes which numbers are multiplied, and most change
  the output size too.
tags: [torch.sweep, torch.dynamic-shape]
tolerance: {rtol: 0.0001, atol: 0.0001}
"""

import torch
from torch.export import Dim
from torch.nn import functional as F


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("w", torch.linspace(-1, 1, 24).reshape(4, 2, 3))

    def forward(self, x, image):
        square, cube = self.w[:, :, :, None], self.w[:, :, :, None, None]
        lines = (
            F.conv1d(x, self.w, groups=2, dilation=2),
            F.conv1d(x[:, :2], self.w, padding="same"),
        )
        planes = F.conv2d(image, square, stride=(2, 3), padding=(1, 2), groups=2)
        back = F.conv_transpose1d(x, self.w, stride=3, padding=1, output_padding=2, groups=2)
        wider = F.conv_transpose2d(image, square, self.w[:2, 0, 0], dilation=(2, 1))
        return lines, planes, back, wider, F.conv3d(image[:, :2, :, :, None], cube)


n = Dim("n", min=1, max=16)
dynamic_shapes = {"x": {0: n}, "image": {0: n}}


def inputs(n=5):
    return torch.randn(n, 4, 9), torch.randn(n, 4, 7, 6)
