"""
title: Square root of a dynamic size as a power
description: >
  n ** 0.5 is arithmetic of the size, which a tracer sees, where math.sqrt is a call into C.
tags: [torch.sym-scalar, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, q, k):
        return q @ k.transpose(0, 1) / q.shape[1] ** 0.5


d = Dim("d", min=2, max=16)
dynamic_shapes = {"q": {1: d}, "k": {1: d}}


def inputs(d=5):
    return torch.randn(3, d), torch.randn(4, d)
