"""
title: Last dimension by its number in dynamic_shapes
description: >
  The keys of a specification count from the front: the last of two dimensions is 1.
tags: [torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        return x.cumsum(-1) / x.shape[-1]


dynamic_shapes = {"x": {1: Dim("n", min=2, max=16)}}


def inputs(n=5):
    return torch.randn(3, n)
