"""
title: if on whether a size is in a tuple of sizes
description: >
  The operator in compares the size with each entry until one is equal, and each comparison is a
  condition that tracing decides for the example. The rewrite computes the same condition as one
  symbolic bool and gives it to torch.cond.
tags: [python.control-flow, python.data-structure, torch.guard, torch.dynamic-shape]
rewrites: [python/size_in_tuple_cond]
errors: [E0102]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        if x.shape[0] in (4, 8):
            return x.sin()
        return x.cos()


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=5):
    return (torch.randn(n, 3),)
