"""
title: Tensor and factor kept apart until they are used
description: >
  A named tuple holds the two, and a function multiplies them where the product is needed. There is
  no wrapper that a tracer would have to look through.
tags: [python.data-structure, torch.dynamic-shape]
"""

from typing import NamedTuple

import torch
from torch.export import Dim


class Scaled(NamedTuple):
    inner: torch.Tensor
    factor: float

    def plain(self):
        return self.inner * self.factor


class Model(torch.nn.Module):
    def forward(self, x):
        return Scaled(x, 3.0).plain() + x


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=5):
    return torch.randn(n, 4)
