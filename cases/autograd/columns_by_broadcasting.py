"""
title: All columns at once by broadcasting, in place of vmap
description: >
  softmax takes the dimension to work along, and the sum broadcasts over all columns.
tags: [torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x, y):
        return x.softmax(0) * y.sum()


dynamic_shapes = {"x": {1: Dim("n", min=2, max=16)}, "y": None}


def inputs(n=5):
    return torch.randn(3, n), torch.randn(4)
