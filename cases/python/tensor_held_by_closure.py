"""
title: Tensor held by a function that is an attribute of the module
description: >
  A function made by another one keeps a tensor in its closure. It is neither a parameter nor a
  buffer and belongs to no module; a graph needs it as a constant.
tags: [python.closure, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


def shifted_by(offset):
    return lambda x: x + offset


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.shift = shifted_by(torch.tensor([1.0, -2.0, 0.5]))

    def forward(self, x):
        return self.shift(x).relu()


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=5):
    return torch.randn(n, 3)
