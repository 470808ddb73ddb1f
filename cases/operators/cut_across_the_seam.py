"""
title: Tensors joined and cut again across the seam
description: >
  A slice of what was joined is one of the parts only if it begins and ends where the part does.
  Here the cuts lie within parts, count from the end, have a step or go along another dimension.
tags: [torch.sweep, torch.view, torch.decomposition, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x, y):
        joined = torch.cat([x, y], 1)
        parts = joined[:, :2], joined[:, 2:], joined[:, -3:], joined[:, :-2]
        across = joined[:, 1:4], joined[:, ::2], joined[:, 1], joined[:, -2], joined[1:]
        split = joined.split([2, 3], 1), joined.split([3, 2], 1), joined.unbind(1)
        stacked = torch.stack([x, y[:, :2]], 1)
        return parts, across, split, stacked[:, 0], stacked[0], stacked[..., 1], stacked.unbind(2)


n = Dim("n", min=3, max=16)
dynamic_shapes = {"x": {0: n}, "y": {0: n}}


def inputs(n=7):
    return torch.randn(n, 2), torch.randn(n, 3)
