"""
title: A size asked whether it is an int or a symbolic one
description: >
  isinstance(size, (int, torch.SymInt)) is true for a size in eager and for one that is traced.
tags: [torch.dynamic-shape, python.builtin]
allow:
  L063: eager takes one side, and so should a capture
"""

import torch
from torch.export import Dim


def first(size):
    return size if isinstance(size, (int, torch.SymInt)) else 1


class Model(torch.nn.Module):
    def forward(self, x):
        return x / first(x.shape[0])


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=6):
    return torch.randn(n, 4)
