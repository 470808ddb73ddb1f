"""
title: Size that is one more than another size
description: >
  y is one longer than x, as a list of borders is one longer than the list of intervals. The
  derived dim n + 1 keeps both sizes symbolic.
tags: [torch.derived-dim, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x, y):
        return x + y[1:]


n = Dim("n", min=2, max=32)
dynamic_shapes = {"x": {0: n}, "y": {0: n + 1}}


def inputs(n=5):
    return torch.randn(n), torch.randn(n + 1)
