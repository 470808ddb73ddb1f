"""
title: Image cut into windows, shifted by roll (Swin transformer)
description: >
  Height and width are padded to whole windows, the image is rolled by half a window and cut up by
  reshapes, and after a softmax over each window put together again. The numbers of windows are
  rounded-up quotients of the sizes, and joining two dimensions asks for their product. The rewrite
  uses pixel_unshuffle and pixel_shuffle.
tags: [torch.dynamic-shape, torch.view, torch.sym-scalar]
rewrites: [architectures/windows_by_pixel_shuffle]
errors: [E0102]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        batch, height, width, channels = x.shape
        rows, columns = (height + 3) // 4, (width + 3) // 4
        lacking = (0, 0, 0, columns * 4 - width, 0, rows * 4 - height)
        x = torch.nn.functional.pad(x, lacking).roll((-2, -2), dims=(1, 2))
        x = x.view(batch, rows, 4, columns, 4, channels).transpose(2, 3)
        attended = x.flatten(3, 4).softmax(3).unflatten(3, (4, 4))
        x = attended.transpose(2, 3).reshape(batch, rows * 4, columns * 4, channels)
        return x.roll((2, 2), dims=(1, 2))


dynamic_shapes = {"x": {1: Dim("h", min=5, max=24), 2: Dim("w", min=5, max=24)}}


def inputs(h=9, w=11):
    return torch.randn(2, h, w, 3)
