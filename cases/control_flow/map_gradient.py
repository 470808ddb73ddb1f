"""
title: Gradient through map
description: >
  Every row is scored against a parameter that all calls share, so its gradient is the sum over
  the calls, and the gradient of a row is its own.
tags: [torch.map, torch.autograd, torch.parameter]
train: true
"""

import torch
from torch._higher_order_ops import map
from torch.export import Dim


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.tensor([0.5, -1.5, 2.0]))

    def forward(self, xs):
        def body(x, weight):
            return (x * weight).softmax(0)

        return map(body, xs, self.weight)


dynamic_shapes = {"xs": {0: Dim("n", min=2, max=16)}}


def inputs(n=5):
    return torch.randn(n, 3, requires_grad=True)
