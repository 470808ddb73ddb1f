"""
title: padding="same" with kernels of even size
description: >
  A kernel of four needs three zeros in all so that the length stays the same: one in front and two
  behind, the odd one at the end. With the odd one in front the result has the same length and is
  shifted by one place.
tags: [torch.operator, torch.dynamic-shape]
"""

import torch
from torch.export import Dim
from torch.nn import functional as F


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("line", torch.tensor([1.0, -2.0, 3.0, 0.5]).reshape(1, 1, 4))
        self.register_buffer("area", torch.linspace(-1, 2, 6).reshape(1, 1, 2, 3))

    def forward(self, sound, image):
        wide = F.conv1d(sound, self.line, padding="same", dilation=3)
        even = F.conv2d(image, self.area, padding="same")
        return F.conv1d(sound, self.line, padding="same"), wide, even


dynamic_shapes = {"sound": {2: Dim("n", min=4, max=40)}, "image": None}


def inputs(n=11):
    return torch.randn(2, 1, n), torch.randn(2, 1, 7, 8)
