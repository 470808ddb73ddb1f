"""
title: Size that is three times another size plus one
description: >
  A derived dim may combine a factor and an offset: the length of y is 3 * n + 1. Dividing it
  again while slicing with a step must give back n, which the engine has to prove.
tags: [torch.derived-dim, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x, y):
        return x + y[1::3]


n = Dim("n", min=2, max=32)
dynamic_shapes = {"x": {0: n}, "y": {0: 3 * n + 1}}


def inputs(n=5):
    return torch.randn(n), torch.randn(3 * n + 1)
