"""
title: Matrix product, one dim shared by two inputs
description: >
  The columns of x are the rows of y. Naming both sizes with the same Dim says so; a call in which
  they differ is then refused as eager refuses it.
tags: [torch.shared-dim, torch.dynamic-shape]
references: [pytorch#108429]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x, y):
        return x @ y


n, k, m = Dim("n", min=2, max=16), Dim("k", min=2, max=16), Dim("m", min=2, max=16)
dynamic_shapes = {"x": {0: n, 1: k}, "y": {0: k, 1: m}}


def inputs(n=3, k=4, m=5):
    return torch.randn(n, k), torch.randn(k, m)
