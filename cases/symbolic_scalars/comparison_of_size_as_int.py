"""
title: A comparison of a size, made a whole number by int
description: >
  int makes a whole number of the comparison, of Python's and of a symbol's.
tags: [torch.sym-scalar, torch.dynamic-shape, torch.dtype]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        return (x > 0) + int(x.shape[0] > 4)


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=5):
    return torch.randn(n, 3)
