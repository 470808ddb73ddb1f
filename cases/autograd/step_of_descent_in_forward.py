"""
title: A step of gradient descent inside forward
description: >
  The loss of a linear model is differentiated with torch.func, and the parameters of the call are
  moved against the gradient before they are used: the inner loop of meta-learning.
tags: [torch.autograd, torch.functional-transform, torch.dynamic-shape]
rewrites: [autograd/step_of_descent_by_hand]
requires: [backward]
references: [pytorch#146719]
"""

import torch
from torch.export import Dim


def loss(weight, x, y):
    return ((x @ weight - y) ** 2).mean()


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.tensor([0.5, -1.0, 2.0]))

    def forward(self, x, y):
        gradient = torch.func.grad(loss)(self.weight, x, y)
        return x @ (self.weight - 0.1 * gradient)


dynamic_shapes = {"x": {0: (n := Dim("n", min=2, max=16))}, "y": {0: n}}


def inputs(n=6):
    return torch.randn(n, 3), torch.randn(n)
