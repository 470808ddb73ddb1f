"""
title: A step of gradient descent with its gradient written out
description: >
  The gradient of a mean square of a linear model is one matrix product. Written out it is made of
  operators like the rest, and no transform runs inside forward.
tags: [torch.autograd, torch.dynamic-shape]
requires: [backward]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.tensor([0.5, -1.0, 2.0]))

    def forward(self, x, y):
        gradient = 2 * (x.mT @ (x @ self.weight - y)) / x.shape[0]
        return x @ (self.weight - 0.1 * gradient)


dynamic_shapes = {"x": {0: (n := Dim("n", min=2, max=16))}, "y": {0: n}}


def inputs(n=6):
    return torch.randn(n, 3), torch.randn(n)
