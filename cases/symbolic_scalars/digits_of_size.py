"""
title: Length of a size written out
description: >
  str() of a symbolic size is the name of its symbol, so that its length is that of the name: a
  number that has nothing to do with the size.
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
