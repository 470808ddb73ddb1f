"""
title: A size that is twice another size
description: >
  The second input is always twice as long as the first. Declaring its size as an expression of
  the first dim (2 * n) keeps both symbolic; a dim of its own would be contradicted by the addition.
tags: [torch.derived-dim, torch.dynamic-shape]
references: [pytorch#136216]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x, y):
        return x + y[::2]


n = Dim("n", min=2, max=32)
dynamic_shapes = {"x": {0: n}, "y": {0: 2 * n}}


def inputs(n=5):
    return torch.randn(n), torch.randn(2 * n)
