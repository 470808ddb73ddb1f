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
    def forward(self, x, message, target):
        total = message.new_zeros(x.shape[0], 3).index_add(0, target, message)
        return total / (1 + total.norm())


m = Dim("m", min=1, max=16)
dynamic_shapes = {"x": {0: Dim("n", min=1, max=16)}, "message": {0: m}, "target": {0: m}}


def inputs(n=5, m=7):
    return torch.randn(n, 2), torch.randn(m, 3), torch.randint(n, (m,))
