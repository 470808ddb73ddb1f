"""
title: Rotary embedding computed in each call
description: >
  The angles are made from the length of the input whenever forward runs. Nothing is kept, so there
  is nothing to grow and no branch.
tags: [torch.attention, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        angles = torch.outer(torch.arange(x.shape[1]), 0.1 ** torch.arange(3))
        cos, sin = angles.cos(), angles.sin()
        a, b = x.chunk(2, dim=-1)
        return torch.cat([a * cos - b * sin, b * cos + a * sin], dim=-1)


dynamic_shapes = {"x": {1: Dim("n", min=1, max=16)}}


def inputs(n=5):
    return (torch.randn(2, n, 6),)
