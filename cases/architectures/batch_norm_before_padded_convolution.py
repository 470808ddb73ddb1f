"""
title: Batch norm before a convolution that pads with zeros (pre-activation block)
description: >
  The zeros are added to what the norm gives, so its shift reaches all of an output but its
  border. Folded into the bias of the convolution it is everywhere, as if the padding had been
  normalised too.
tags: [torch.module, torch.decomposition, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = torch.nn.BatchNorm2d(3)
        torch.nn.init.uniform_(self.norm.running_mean, -2, -1)
        torch.nn.init.uniform_(self.norm.bias, 1, 2)
        self.convolution = torch.nn.Conv2d(3, 4, 3, padding=1)
        self.eval()

    def forward(self, x):
        return self.convolution(self.norm(x))


dynamic_shapes = {"x": {0: Dim("n", min=1, max=8)}}


def inputs(n=7):
    return (torch.randn(n, 3, 5, 6),)
