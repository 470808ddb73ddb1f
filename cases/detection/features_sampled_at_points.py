"""
title: Features sampled at points given in the coordinates of the image
description: >
  Points in pixels are scaled to the range from -1 to 1 with the dynamic height and width, and
  grid_sample reads the features between the pixels. The scale is computed from sizes and goes into
  a tensor.
tags: [torch.dynamic-shape, torch.sym-scalar]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, features, points):
        height, width = features.shape[-2:]
        scale = torch.tensor([2 / width, 2 / height])
        grid = (points * scale - 1)[:, None]
        sampled = torch.nn.functional.grid_sample(features, grid, align_corners=False)
        return sampled[:, :, 0].transpose(1, 2)


h, w = Dim("h", min=2, max=32), Dim("w", min=2, max=32)
dynamic_shapes = {"features": {2: h, 3: w}, "points": {1: Dim("n", min=1, max=16)}}


def inputs(h=9, w=11, n=5):
    return torch.randn(1, 3, h, w), torch.rand(1, n, 2) * 8
