"""
title: Weights rounded to bfloat16 and stored as int16, as NumPy has no bfloat16
description: >
  Seen as integers, the numbers show how they were rounded: to the nearest, and halfway to the even
  one. A cast that cuts the last sixteen bits of a float32 gives a smaller integer for about half of all
  numbers, which a tolerance for bfloat16 allows.
tags: [torch.dtype, torch.view]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        stored = x.to(torch.bfloat16).view(torch.int16)
        loaded = stored.view(torch.bfloat16).to(torch.float32)
        up = loaded.abs() > x.abs()
        return stored, up, (loaded - x).abs() * 256 <= x.abs(), stored.sum()


dynamic_shapes = {"x": {0: Dim("n", min=2, max=32)}}


def inputs(n=6):
    halfway = torch.tensor([1.00390625, 1.01171875, -2.0234375, 0.1, 1e-3, 3.0])
    return halfway.repeat(6)[:n] * 1.0


def accepts():
    yield torch.tensor([3.3895e38, 1.0039, -0.0, 255.5])
