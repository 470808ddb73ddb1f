"""
title: Size that is the product of two other sizes
description: >
  z is a flattened table with a row for each entry of x and a column for each entry of y. A dim
  can be derived from one other dim only, so the product has a Dim of its own, and that it is the
  product stands in the view alone. Another length of z has to be refused.
tags: [torch.dynamic-shape, torch.derived-dim, torch.view]
allow:
  L025: the Dim of the product is no size of its own
  L057: the Dim of the product is no size of its own
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x, y, z):
        return z.view(x.shape[0], y.shape[0]) + x[:, None] * y


n, m = Dim("n", min=2, max=16), Dim("m", min=2, max=16)
dynamic_shapes = {"x": {0: n}, "y": {0: m}, "z": {0: Dim("product", min=4, max=256)}}


def inputs(n=3, m=5):
    return torch.randn(n), torch.randn(m), torch.randn(n * m)


def rejects():
    yield torch.randn(3), torch.randn(5), torch.randn(16)
