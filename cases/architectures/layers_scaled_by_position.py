"""
title: A layer's output scaled for each position and not for each channel
description: >
  A factor for each channel can be folded into the weights of the layer, one for each step of a
  sequence or pixel of an image cannot. Where there are as many of the one as of the other, only
  the dimension tells.
tags: [torch.module, torch.decomposition]
"""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer, self.image = torch.nn.Linear(4, 6), torch.nn.Conv2d(3, 5, 1)
        self.step = torch.nn.Parameter(torch.randn(6, 1))
        self.column = torch.nn.Parameter(torch.randn(5))

    def forward(self, x, picture):
        steps = self.layer(x) * self.step, self.step + self.layer(x)
        pixels = self.image(picture) * self.column, self.image(picture) - self.column[:, None]
        return steps, pixels


def inputs():
    return torch.randn(2, 6, 4), torch.randn(2, 3, 5, 5)
