"""
title: Arguments unpacked from a range
description: >
  f(*range(2, 5)) passes 2, 3 and 4. TorchDynamo takes the three numbers that a range holds, its
  start, stop and step, and passes 2, 5 and 1 instead: here a tensor of another shape.
advice: >
  Write f(*list(range(2, 5))), or export with strict=False, which leaves the call to Python.
tags: [torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        return x + torch.ones(*range(2, 5)).sum()


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=6):
    return torch.randn(n)
