"""
title: isinstance(size, (int, torch.SymInt)) of a dynamic size
description: >
  The check is true for a plain size in eager and for the symbolic size of a traced program, so
  both take the same branch.
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
