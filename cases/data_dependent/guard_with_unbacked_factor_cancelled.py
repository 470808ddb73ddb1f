"""
title: Unknown size cancelled from a guard
description: >
  The comparison speaks of the side of an image alone, and torch.cond keeps both branches. When
  nothing is selected both give an empty tensor, so dropping the factor changes nothing.
tags: [torch.data-dependent-shape, torch.unbacked-symbol, torch.cond]
requires: [values]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, images, mask):
        pixels = images[mask].flatten(1)
        return torch.cond(
            images.shape[1] * images.shape[2] == 9,
            lambda p: p.amax(1),
            lambda p: p.mean(1),
            (pixels,),
        )


side = Dim("side", min=2, max=8)
dynamic_shapes = {"images": {1: side, 2: side}, "mask": None}


def inputs(side=5):
    return torch.randn(4, side, side), torch.tensor([True, False, True, True])


def accepts():
    yield torch.randn(4, 3, 3), torch.tensor([False, False, True, False])
    yield torch.randn(4, 3, 3), torch.zeros(4, dtype=torch.bool)
    yield torch.randn(4, 6, 6), torch.zeros(4, dtype=torch.bool)
