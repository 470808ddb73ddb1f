"""
title: Image of floats stored as uint8
description: >
  Brightness between 0 and 1 is multiplied by 255 and limited before the cast. The cast cuts off
  what follows the point, so the image is darker than the one that is rounded first.
tags: [torch.dtype, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, image):
        level = (image.nan_to_num() * 255).clamp(0, 255)
        cut, rounded = level.to(torch.uint8), (level + 0.5).clamp(max=255).to(torch.uint8)
        return cut, rounded, 255 - cut, cut.float() / 255


dynamic_shapes = {"image": {0: Dim("n", min=1, max=16)}}


def inputs(n=5):
    return torch.rand(n, 3, 4) * 1.2 - 0.1
