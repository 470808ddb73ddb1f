"""
title: Bicubic grid_sample of images
description: >
  In a bicubic sample sixteen neighbours take part, and those outside of the image count as zeros.
tags: [torch.operator, torch.dynamic-shape]
"""

import torch
import torch.nn.functional as F
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x, at):
        grid = torch.stack([at, at.flip(1) * 1.4], -1)
        return F.grid_sample(x, grid, "bicubic", "zeros", False)


dynamic_shapes = {"x": {0: Dim("n", min=2, max=8)}, "at": {0: Dim("n", min=2, max=8)}}


def inputs(n=7):
    return torch.rand(n, 2, 4, 5), torch.rand(n, 3, 4) * 2 - 1
