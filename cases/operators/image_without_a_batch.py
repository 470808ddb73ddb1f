"""
title: Convolutions and pools of one image that has no batch
description: >
  A convolution takes an image of three dims as well, channels first, and gives three dims back; a signal may have two.
  Who takes the first dim for the batch has another number of channels.
tags: [torch.operator, torch.dynamic-shape]
"""

import torch
from torch import nn
from torch.export import Dim


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.image = nn.Sequential(nn.Conv2d(3, 4, 3, padding=1), nn.MaxPool2d(2), nn.AvgPool2d(2))
        self.up = nn.ConvTranspose2d(4, 3, 2, stride=2)
        self.line = nn.Sequential(nn.Conv1d(3, 4, 3), nn.MaxPool1d(2), nn.AdaptiveAvgPool1d(5))

    def forward(self, picture):
        small = self.image(picture)
        return small, self.up(small), self.line(picture.mean(1)), self.line(picture[:, 0])


dynamic_shapes = {"picture": {1: Dim("h", min=8, max=32)}}


def inputs(h=9):
    return torch.randn(3, h, 14)
