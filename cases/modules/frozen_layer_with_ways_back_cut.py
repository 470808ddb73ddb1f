"""
title: A frozen layer, and ways back that are cut off
description: >
  The first layer's weight is frozen and its bias is not; detach cuts one way back, a norm is taken
  without gradients, and the head is called twice, so that its weight gets two gradients.
tags: [torch.autograd, torch.module, torch.dynamic-shape]
train: true
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.body, self.head = torch.nn.Linear(3, 4), torch.nn.Linear(4, 4)
        self.body.weight.requires_grad_(False)

    def forward(self, x):
        y = torch.tanh(self.body(x))
        with torch.no_grad():
            scale = self.head.weight.norm()
        return self.head(self.head(y) - y.detach()) / scale, self.head.bias


dynamic_shapes = {"x": {0: Dim("n", min=1, max=16)}}


def inputs(n=5):
    return (torch.randn(n, 3),)
