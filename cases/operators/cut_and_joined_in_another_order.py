"""
title: Parts cut from a tensor and joined again, but not to what it was
description: >
  Slices that are joined are the whole only in order, side by side and without a gap, along the
  same dimension. What is unbound along one dimension and stacked along another is transposed.
tags: [torch.sweep, torch.view, torch.decomposition, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        whole = torch.cat([x[:, :2], x[:, 2:]], 1), torch.stack(x.unbind(1), 1)
        turned = torch.cat([x[:, 2:], x[:, :2]], 1), torch.stack(x.unbind(2), 1)
        gaps = torch.cat([x[:, :1], x[:, 2:]], 1), torch.cat([x[:, :3], x[:, 2:]], 1)
        a, b = x.split([1, 3], 1)
        parts = torch.cat([b, a], 1), torch.cat([a, -b], 1), torch.cat(x.split(2, 1), 2)
        picked = torch.stack([x[:, 0], x[:, 2], x[:, 1], x[:, 3]], 1), torch.cat(x.unbind(2))
        first, second = x.chunk(2, 1)
        return whole, turned, gaps, parts, picked, torch.stack([first, second]), second


dynamic_shapes = {"x": {0: Dim("n", min=1, max=16)}}


def inputs(n=5):
    return (torch.randn(n, 4, 4),)
