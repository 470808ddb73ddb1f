"""
title: Overlap of all pairs of boxes (IoU matrix)
description: >
  Two sets of boxes are compared pair by pair with broadcasting. Both numbers are dynamic and
  independent, either may be 0, and the result has one row and one column for each.
tags: [torch.dynamic-shape]
"""

import torch
from torch.export import Dim


def area(boxes):
    return (boxes[..., 2:] - boxes[..., :2]).clamp(min=0).prod(-1)


class Model(torch.nn.Module):
    def forward(self, a, b):
        corner = torch.maximum(a[:, None, :2], b[:, :2])
        opposite = torch.minimum(a[:, None, 2:], b[:, 2:])
        shared = area(torch.cat([corner, opposite], dim=-1))
        return shared / (area(a)[:, None] + area(b) - shared)


dynamic_shapes = {"a": {0: Dim("n", min=0, max=16)}, "b": {0: Dim("m", min=0, max=16)}}


def inputs(n=5, m=7):
    a, b = torch.rand(n, 4), torch.rand(m, 4)
    return a.cumsum(1), b.cumsum(1)
