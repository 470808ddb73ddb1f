"""
title: Convolutions of unlike kernels added to the image itself (RepVGG, ACNet)
description: >
  The branches can be merged into one kernel if the smaller ones are put into its middle: a column
  is not a row, and with a stride the single pixel is the one in the middle of the window.
tags: [torch.module, torch.decomposition]
"""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.square = torch.nn.Conv2d(4, 4, 3, padding=1)
        self.row = torch.nn.Conv2d(4, 4, (1, 3), padding=(0, 1), bias=False)
        self.column = torch.nn.Conv2d(4, 4, (3, 1), padding=(1, 0))
        self.point = torch.nn.Conv2d(4, 4, 1, bias=False)
        self.halved = torch.nn.Conv2d(4, 6, 3, stride=2, padding=1)
        self.pixel = torch.nn.Conv2d(4, 6, 1, stride=2)

    def forward(self, x):
        y = self.square(x) + self.row(x) + self.column(x) + self.point(x) + x
        return self.halved(y.relu()) + self.pixel(y.relu())


def inputs():
    return (torch.randn(2, 4, 7, 5),)
