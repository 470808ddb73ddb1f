"""
title: Rotary embedding of neighbouring features in real numbers
description: >
  The product of two complex numbers is written out with sines and cosines. Two neighbouring
  features are a pair, so both halves of the result are stacked and flattened.
tags: [torch.attention, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        angles = torch.outer(torch.arange(x.shape[1]), 0.1 ** torch.arange(3))
        cos, sin = angles.cos(), angles.sin()
        a, b = x.unflatten(-1, (3, 2)).unbind(-1)
        return torch.stack([a * cos - b * sin, a * sin + b * cos], dim=-1).flatten(-2)


dynamic_shapes = {"x": {1: Dim("n", min=1, max=16)}}


def inputs(n=5):
    return (torch.randn(2, n, 6),)
