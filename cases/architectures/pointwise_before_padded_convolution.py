"""
title: A pointwise convolution with a bias before one that pads
description: >
  The two could be one convolution, but the bias of the first is not in the zeros that the second
  adds around. Merged, the border of the image gets it too. A stride in the first leaves pixels
  out.
tags: [torch.module, torch.decomposition]
"""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.narrow = torch.nn.Conv2d(6, 2, 1)
        self.wide = torch.nn.Conv2d(2, 4, 3, padding=1)
        self.thin = torch.nn.Conv2d(6, 2, 1, stride=2)

    def forward(self, x):
        return self.wide(self.narrow(x)), self.wide(self.thin(x))


def inputs():
    return (torch.randn(2, 6, 7, 5),)
