"""
title: instance_norm of a signal that has one element left
description: >
  instance_norm raises for a single element, of which no variance can be had. The check is Python's
  own and looks at the size while tracing, when it is longer than one; the capture keeps no guard of
  it and gives numbers made of rounding.
tags: [torch.zero-one, torch.dynamic-shape, torch.dim-hint, torch.operator]
rewrites: [operators/instance_norm_from_three_elements]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        return torch.nn.functional.instance_norm(x)


dynamic_shapes = {"x": {2: Dim.AUTO}}


def inputs():
    return torch.randn(4, 6, 5)


def rejects():
    yield torch.randn(4, 6, 1)
