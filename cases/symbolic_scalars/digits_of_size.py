"""
title: len(str(n)) of a dynamic size
description: >
  str() of a symbolic size is the name of its symbol, so its length has nothing to do with the
  size. The rewrite compares the size with 10.
tags: [torch.sym-scalar, torch.dynamic-shape, python.builtin]
rewrites: [symbolic_scalars/digits_by_comparison]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        return x * len(str(x.shape[0]))


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=6):
    return (torch.randn(n, 3),)
