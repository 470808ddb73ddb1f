"""
title: Steps whose order matters, such as relu and the mean or not and any
description: >
  The mean of what relu leaves is not relu of the mean, a negative factor turns the largest element
  into the smallest, and a product of two transposed matrices has its factors in the other order.
  A pass that moves one step past the other must know which pairs these are.
tags: [torch.sweep, torch.decomposition, torch.dynamic-shape]
"""

import torch
from torch.export import Dim
from torch.nn import functional as F


class Model(torch.nn.Module):
    def forward(self, x, y):
        averages = x.relu().mean(1), F.avg_pool2d(F.pad(x.relu()[None], (1, 1, 1, 1)), 2)
        places = (x * -2.0).argmax(1), (-x).argsort(1), (x / -4.0).argmin()
        denied = torch.logical_not((x > 1).any(1)), ~(x > -1).all(0)
        products = x.t() @ y.t(), torch.bmm(x.t()[None], y.t()[None]), (y @ x).t()
        from_the_end = x.flip(1).cumsum(1).flip(1), x.flip(0).cumprod(0).flip(0)
        return averages, places, denied, products, from_the_end


n = Dim("n", min=2, max=16)
dynamic_shapes = {"x": {0: n}, "y": {1: n}}


def inputs(n=5):
    return torch.randn(n, 4), torch.randn(4, n)
