"""
title: Mean over the whole length
description: >
  A mean over the last dimension is that pooling, and takes any length.
tags: [torch.dynamic-shape, torch.operator]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        return x.mean(-1, keepdim=True)


dynamic_shapes = {"x": {1: Dim("n", min=2, max=16)}}


def inputs(n=6):
    return (torch.randn(3, n),)
