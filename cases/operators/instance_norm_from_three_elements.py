"""
title: instance_norm of a signal of at least three elements
description: >
  The operator has no answer for one element. A range that begins at 3 is asserted when the
  capture runs; one that begins at 2 is not, since every symbolic size is taken to be 2 or more.
tags: [torch.dynamic-shape, torch.operator]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        return torch.nn.functional.instance_norm(x)


dynamic_shapes = {"x": {2: Dim("length", min=3, max=32)}}


def inputs(length=5):
    return torch.randn(4, 6, length)
