"""
title: Rounding half a dynamic size in integers
description: >
  Half the size rounded down, plus one where both the size and that half are odd: the integer form
  of Python's rule that halves go to the even neighbour.
tags: [torch.sym-scalar, torch.dynamic-shape]
"""
import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        n = x.shape[0]
        half = n // 2
        return x[: half + (n % 2) * (half % 2)]


dynamic_shapes = {"x": {0: Dim("n", min=3, max=32)}}


def inputs(n=7):
    return torch.randn(n)
