"""
title: Position embedding resized to the patches of the image (ViT)
description: >
  The embedding was learned for a grid of four by four patches. For images of other sizes it is
  resized to their grid, whose height and width are quotients of the sizes of the image.
tags: [torch.dynamic-shape, torch.sym-scalar, torch.parameter]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.patch = torch.nn.Conv2d(1, 3, kernel_size=8, stride=8)
        self.positions = torch.nn.Parameter(torch.randn(1, 3, 4, 4))

    def forward(self, image):
        tokens = self.patch(image)
        grid = image.shape[2] // 8, image.shape[3] // 8
        resize = torch.nn.functional.interpolate
        positions = resize(self.positions, size=grid, mode="bilinear", align_corners=False)
        return (tokens + positions).flatten(2).transpose(1, 2)


dynamic_shapes = {"image": {2: Dim("h", min=16, max=96), 3: Dim("w", min=16, max=96)}}


def inputs(h=43, w=57):
    return torch.randn(2, 1, h, w)
