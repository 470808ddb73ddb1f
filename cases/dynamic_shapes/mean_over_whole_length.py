"""
title: Mean in place of pooling over the whole length
description: >
  Average pooling over everything is the mean over the last dimension, which takes any length.
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
