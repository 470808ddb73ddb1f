"""
title: grid_sample of volumes (5d) with each padding mode
description: >
  In a volume eight neighbours take part in a sample. Each padding mode treats what lies outside in
  its own way.
tags: [torch.operator, torch.dynamic-shape]
"""

import torch
import torch.nn.functional as F
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x, at):
        grid = torch.stack([at, at.roll(1, 1), at.flip(1) * 1.4], -1)
        border = F.grid_sample(x, grid, "bilinear", "border", True)
        mirrored = F.grid_sample(x, grid, "nearest", "reflection", False)
        return border, mirrored, F.grid_sample(x, grid, "bilinear", "zeros", False)


dynamic_shapes = {"x": {0: Dim("n", min=2, max=8)}, "at": {0: Dim("n", min=2, max=8)}}


def inputs(n=7):
    return torch.rand(n, 2, 3, 4, 5), torch.rand(n, 2, 3, 4) * 2 - 1
