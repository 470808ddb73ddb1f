"""
title: Generalised mean pooling, whose power is a parameter
description: >
  Image retrieval pools with the mean of x to the power p, of which the p-th root is taken, and p is
  trained. So both powers have a gradient by their exponent, the logarithm of the base times the
  result, and where the base is zero that is zero.
tags: [torch.autograd, torch.parameter]
train: true
"""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.power = torch.nn.Parameter(torch.tensor([3.0, 1.5]))

    def forward(self, x):
        power = self.power[:, None, None]
        mean = x.relu().pow(power).mean((2, 3), keepdim=True)
        return mean ** (1 / power)


def inputs():
    return torch.randn(3, 2, 4, 5) + 0.5
