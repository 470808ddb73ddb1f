"""
title: isinstance(size, int) of a dynamic size
description: >
  A helper takes one size or a pair, and asks with isinstance(size, int). While a program is
  traced without TorchDynamo a dynamic size is a torch.SymInt, which is no int, so the other
  branch is taken. The rewrite asks for both.
tags: [torch.dynamic-shape, python.builtin]
rewrites: [python/size_asked_whether_symint]
allow:
  L063: eager takes one side, and a capture the other
"""

import torch
from torch.export import Dim


def first(size):
    return size if isinstance(size, int) else 1


class Model(torch.nn.Module):
    def forward(self, x):
        return x / first(x.shape[0])


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=6):
    return torch.randn(n, 4)
