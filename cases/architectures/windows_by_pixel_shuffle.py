"""
title: Windows of an image by pixel_unshuffle, put together by pixel_shuffle
description: >
  pixel_unshuffle brings each window of four by four to one place with sixteen times the channels,
  and pixel_shuffle is its inverse. The operators know that the sizes are multiples, and no
  dimensions are joined by hand.
tags: [torch.dynamic-shape, torch.sym-scalar]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        height, width, channels = x.shape[1:]
        rows, columns = (height + 3) // 4, (width + 3) // 4
        lacking = (0, 0, 0, columns * 4 - width, 0, rows * 4 - height)
        x = torch.nn.functional.pad(x, lacking).roll((-2, -2), dims=(1, 2))
        x = torch.nn.functional.pixel_unshuffle(x.permute(0, 3, 1, 2), 4)
        x = x.unflatten(1, (channels, 16)).softmax(2).flatten(1, 2)
        x = torch.nn.functional.pixel_shuffle(x, 4).permute(0, 2, 3, 1)
        return x.roll((2, 2), dims=(1, 2))


dynamic_shapes = {"x": {1: Dim("h", min=5, max=24), 2: Dim("w", min=5, max=24)}}


def inputs(h=9, w=11):
    return torch.randn(2, h, w, 3)
