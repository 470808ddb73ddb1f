"""
title: Guard in which an unknown size is a factor, Eq(u0*s3**2, 9*u0)
description: >
  The program compares the number of elements of the selected images with nine times their number.
  The number of images cancels, but for none at all, and is unknown while tracing; so the guard
  cannot be answered, although the side of an image would. Compare the known sizes, with
  torch.cond.
tags: [torch.data-dependent-shape, torch.unbacked-symbol, torch.guard]
requires: [values]
references: [pytorch#180202]
rewrites: [data_dependent/guard_with_unbacked_factor_cancelled]
pitfalls: [data_dependent/fallback_guard_or_false]
errors: [E0001]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, images, mask):
        chosen = images[mask]
        pixels = chosen.flatten(1)
        if chosen.numel() == 9 * chosen.shape[0]:
            return pixels.amax(1)
        return pixels.mean(1)


side = Dim("side", min=2, max=8)
dynamic_shapes = {"images": {1: side, 2: side}, "mask": None}


def inputs(side=5):
    return torch.randn(4, side, side), torch.tensor([True, False, True, True])


def accepts():
    yield torch.randn(4, 3, 3), torch.tensor([False, False, True, False])
    yield torch.randn(4, 3, 3), torch.zeros(4, dtype=torch.bool)
    yield torch.randn(4, 6, 6), torch.zeros(4, dtype=torch.bool)
