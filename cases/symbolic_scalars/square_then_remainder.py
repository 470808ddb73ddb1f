"""
title: Square of a size, then its remainder
description: >
  The power and the remainder are two steps, each of which symbolic sizes know.
tags: [torch.sym-scalar, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        return x * (x.shape[0] ** 2 % 5)


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=6):
    return (torch.randn(n, 3),)
