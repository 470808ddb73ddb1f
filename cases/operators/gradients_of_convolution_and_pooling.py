"""
title: Gradients of convolution, pooling and padding
description: >
  The backward of each is an operator of its own: of equal maxima one gets the gradient,
  overlapping windows add up, reflected edges get a share twice.
tags: [torch.autograd, torch.dynamic-shape]
train: true
tolerance: {rtol: 0.0001, atol: 0.0001}
"""

import torch
from torch.export import Dim
from torch.nn import functional as F


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        torch.manual_seed(0)
        self.convolution = torch.nn.Conv2d(2, 3, 3, stride=2, padding=1)

    def forward(self, x):
        pooled = F.max_pool2d(x, 2, padding=1), F.avg_pool2d(x, 3, 2), F.adaptive_avg_pool2d(x, 2)
        padded = F.pad(x, (2, 1, 1, 0), mode="reflect"), F.pad(x, (1, 2, 0, 1), mode="replicate")
        return self.convolution(x), pooled, padded, F.interpolate(x, (7, 4), mode="bilinear")


dynamic_shapes = {"x": {0: Dim("n", min=1, max=8)}}


def inputs(n=5):
    return torch.randn(n, 2, 6, 8, requires_grad=True)
