"""
title: Images standardised by mean and deviation before a padded convolution
description: >
  The padding is zero after the mean was taken off, which is the mean and not black. Moved into
  the weights and bias of the convolution, the mean is taken off the padding as well.
tags: [torch.module, torch.decomposition, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("mean", torch.tensor([0.5, 0.4, 0.6])[:, None, None])
        self.register_buffer("std", torch.tensor([0.2, 0.25, 0.3])[:, None, None])
        self.stem = torch.nn.Conv2d(3, 4, 3, stride=2, padding=1)

    def forward(self, image):
        return self.stem((image / 255.0 - self.mean) / self.std)


dynamic_shapes = {"image": {0: Dim("n", min=1, max=8)}}


def inputs(n=7):
    return (torch.randint(256, (n, 3, 6, 5)).float(),)


def accepts():
    yield (torch.full((2, 3, 6, 5), 255.0),)
