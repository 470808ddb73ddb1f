"""
title: Convolution and batch norm, in training
description: >
  Which kernel runs, and what it asks of sizes and strides, differs between the CPU, cuDNN and
  other devices; guards that come of the choice of a kernel made captures fail on one device and
  not on another. The running statistics are buffers that the program changes.
tags: [torch.module, torch.dynamic-shape, torch.guard, torch.buffer, torch.device]
references: [pytorch#147623]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.convolution = torch.nn.Conv2d(3, 4, kernel_size=3, padding=1)
        self.norm = torch.nn.BatchNorm2d(4)

    def forward(self, x):
        return self.norm(self.convolution(x)).relu()


dynamic_shapes = {"x": {0: Dim("n", min=2, max=8), 2: Dim("h", min=4, max=16)}}


def inputs(n=5, h=7):
    return torch.randn(n, 3, h, 6)
