"""
title: Bicubic grid_sample of images with each padding mode
description: >
  In a bicubic sample sixteen neighbours take part, and each padding mode treats what lies outside
  in its own way.
tags: [torch.operator, torch.dynamic-shape]
"""

import torch
import torch.nn.functional as F
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x, at):
        grid = torch.stack([at, at.flip(1) * 1.4], -1)
        zeros = F.grid_sample(x, grid, "bicubic", "zeros", False)
        border = F.grid_sample(x, grid, "bicubic", "border", True)
        return zeros, border, F.grid_sample(x, grid, "bicubic", "reflection", False)


dynamic_shapes = {"x": {0: Dim("n", min=2, max=8)}, "at": {0: Dim("n", min=2, max=8)}}


def inputs(n=7):
    return torch.rand(n, 2, 4, 5), torch.rand(n, 3, 4) * 2 - 1
