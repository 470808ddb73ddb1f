"""
title: Output of a convolution that is used beside its batch norm
description: >
  A skip connection takes what the convolution gives, another branch the same after the norm.
  Folding the norm into the weights changes both, and the bias that the layer does not have must
  come from the shift.
tags: [torch.module, torch.decomposition, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.convolution = torch.nn.Conv2d(3, 4, 3, bias=False)
        self.norm = torch.nn.BatchNorm2d(4, affine=False)
        torch.nn.init.uniform_(self.norm.running_mean, 1, 2)
        torch.nn.init.uniform_(self.norm.running_var, 3, 4)
        self.eval()

    def forward(self, x):
        features = self.convolution(x)
        return self.norm(features).relu() + features


dynamic_shapes = {"x": {0: Dim("n", min=1, max=8)}}


def inputs(n=7):
    return (torch.randn(n, 3, 5, 6),)
