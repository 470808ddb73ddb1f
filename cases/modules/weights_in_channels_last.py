"""
title: Convolutions whose weights lie in channels_last order
description: >
  model.to(memory_format=torch.channels_last) turns the memory of every weight with four dims; their shapes stay. Who
  takes the memory of such a weight for the usual order computes with other kernels.
tags: [torch.module, torch.stride, torch.dynamic-shape]
"""

import torch
from torch import nn
from torch.export import Dim


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        flat = nn.Conv2d(3, 4, (2, 3)), nn.ConvTranspose2d(4, 2, 2, stride=2)
        self.conv, self.up = (layer.to(memory_format=torch.channels_last) for layer in flat)
        self.deep = nn.Conv3d(2, 3, 2).to(memory_format=torch.channels_last_3d)

    def forward(self, image):
        grown = self.up(self.conv(image).relu())
        return grown, self.deep(torch.stack([grown, -grown], 2)), self.conv.weight.sum((2, 3))


dynamic_shapes = {"image": {0: Dim("n", min=1, max=16)}}


def inputs(n=5):
    return torch.randn(n, 3, 6, 7).to(memory_format=torch.channels_last)
