"""
title: Padding with a value before a convolution, and a negative factor before relu
description: >
  Padding joins a convolution only if it is with zeros, and a factor passes a relu only if it is
  positive; here neither is so. The convolutions back have dilations.
tags: [torch.sweep]
"""

import torch
from torch.nn import functional as F


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.narrow = torch.nn.Conv2d(3, 4, 3)
        self.wide = torch.nn.ConvTranspose2d(4, 2, 2, dilation=2)
        self.back = torch.nn.ConvTranspose1d(4, 3, 3, stride=2, dilation=3)

    def forward(self, x):
        framed = self.narrow(F.pad(x, (1, 1, 2, 0), value=1.5))
        flipped = F.relu(framed * -0.5), F.leaky_relu(framed * -2.0, 0.2)
        return *flipped, self.wide(framed), self.back(framed[:, :, 0])


def inputs():
    return (torch.randn(2, 3, 6, 5),)
