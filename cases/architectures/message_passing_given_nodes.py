"""
title: Number of nodes taken from a tensor with a row for each
description: >
  The size of the result is the number of rows of the features, which belongs to the inputs, and no
  value is read.
tags: [torch.scatter, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, message, target, x):
        total = message.new_zeros(x.shape[0], 3).index_add(0, target, message)
        return total / (1 + total.norm())


dynamic_shapes = {"message": None, "target": None, "x": {0: Dim("n", min=1, max=12)}}


def inputs(n=5):
    target = torch.randint(n, (7,))
    target[0] = n - 1
    return torch.randn(7, 3), target, torch.randn(n, 2)
