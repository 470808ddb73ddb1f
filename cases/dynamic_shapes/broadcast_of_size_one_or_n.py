"""
title: Size that is either one or that of another input
description: >
  The bias is one number for all rows or one for each: eager broadcasts the single one. To a
  tracer a size of 1 and a size of n are two programs, and the example decides which. Let callers
  expand the bias beforehand.
tags: [torch.dynamic-shape, torch.zero-one, torch.guard]
dims: {n: {min: 2, max: 16}}
rewrites: [dynamic_shapes/broadcast_expanded_by_caller]
errors: [E0103]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x, bias):
        return x + bias * x.shape[0]


dynamic_shapes = {"x": {0: Dim.AUTO}, "bias": {0: Dim.AUTO}}


def inputs(n=5):
    return torch.randn(n), torch.randn(n)


def accepts():
    yield torch.randn(5), torch.randn(1)
    yield torch.randn(7), torch.randn(1)
