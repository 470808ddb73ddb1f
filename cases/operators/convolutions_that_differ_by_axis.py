"""
title: "Convolutions whose stride, padding, dilation and groups differ by axis"
description: >
  Where two axes have the same stride, a backend that reads the first for both is right by chance.
  Here each argument has another value for each axis, in plain and transposed convolutions.
tags: [torch.operator]
tolerance: {rtol: 0.0001, atol: 0.0001}
"""

import torch
from torch.nn import functional as F


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.flat = torch.nn.Parameter(torch.randn(4, 2, 3, 2))
        self.deep = torch.nn.Parameter(torch.randn(4, 2, 1, 3, 2))

    def forward(self, x, v):
        plane = F.conv2d(x, self.flat, None, (2, 1), (0, 1), (1, 3), 2)
        same = F.conv2d(x, self.flat, padding="same", dilation=(2, 1), groups=2)
        back = F.conv_transpose2d(x, self.flat, None, (1, 3), (1, 0), (0, 2), 2, (2, 1))
        space = F.conv3d(v, self.deep, None, (1, 2, 3), (0, 1, 2), (2, 1, 1), 2)
        wide = F.conv_transpose3d(v, self.deep, None, (2, 1, 1), (0, 2, 0), (1, 0, 0), 2)
        line = F.conv_transpose1d(x[:, :, 0], self.flat[:, :, 0], stride=3, groups=2)
        return plane, same, back, space, wide, line


def inputs():
    return torch.randn(2, 4, 6, 9), torch.randn(2, 4, 3, 5, 6)
