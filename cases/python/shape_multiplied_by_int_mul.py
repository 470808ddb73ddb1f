"""
title: reduce(int.__mul__, x.shape)
description: >
  int.__mul__ takes nothing but int, and a dynamic size that is traced is a torch.SymInt. It
  raises a TypeError, whose message says nothing about sizes. The rewrite multiplies with
  math.prod, which uses the operator.
tags: [torch.dynamic-shape, torch.sym-scalar, python.builtin]
rewrites: [python/shape_multiplied_by_prod]
"""

from functools import reduce

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        return x / reduce(int.__mul__, x.shape)


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=5):
    return torch.randn(n, 3)
