"""
title: Image cut into windows, shifted by roll (Swin transformer)
description: >
  Height and width are padded to multiples of the window, the image is rolled by half a window and
  cut up by two reshapes. The numbers of windows are quotients of padded sizes, and the result is
  cropped back.
tags: [torch.dynamic-shape, torch.view, torch.sym-scalar]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        height, width = x.shape[1:3]
        below, right = ((size + 3) // 4 * 4 - size for size in (height, width))
        x = torch.nn.functional.pad(x, (0, 0, 0, right, 0, below))
        x = x.roll((-2, -2), dims=(1, 2))
        batch, rows, columns, channels = x.shape
        x = x.view(batch, rows // 4, 4, columns // 4, 4, channels)
        windows = x.transpose(2, 3).flatten(3, 4)
        windows = windows.softmax(3).unflatten(3, (4, 4)).transpose(2, 3)
        x = windows.reshape(batch, rows, columns, channels).roll((2, 2), dims=(1, 2))
        return x[:, :height, :width]


dynamic_shapes = {"x": {1: Dim("h", min=2, max=24), 2: Dim("w", min=2, max=24)}}


def inputs(h=9, w=11):
    return torch.randn(2, h, w, 3)
