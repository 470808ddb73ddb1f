"""
title: channels_last input through a convolution
description: >
  The example is in channels_last order, and eager keeps that order through the convolution and the
  relu. The numbers are the same in any order; the strides of the result are not.
tags: [torch.stride]
"""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        torch.manual_seed(0)
        self.conv = torch.nn.Conv2d(3, 6, 3)

    def forward(self, x):
        return self.conv(x).relu()


def inputs():
    return torch.randn(2, 3, 7, 5).to(memory_format=torch.channels_last)


def accepts():
    yield torch.randn(2, 3, 7, 5)
