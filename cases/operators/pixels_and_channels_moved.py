"""
title: pixel_shuffle, channel_shuffle, unfold and fold, rot90 and max_unpool2d of an image
description: >
  Rearrangements of an image move every value and change none, so that a wrong order shows nowhere
  but in the order. The sizes differ in each dimension for that reason.
tags: [torch.sweep]
"""

import torch
from torch.nn import functional as F


class Model(torch.nn.Module):
    def forward(self, x):
        larger, smaller = F.pixel_shuffle(x, 2), F.pixel_unshuffle(x, 2)
        channels = F.channel_shuffle(x, 4), x.unflatten(1, (2, 4)).movedim(1, 2)
        windows = F.unfold(x, (2, 3), padding=(1, 0), stride=(2, 1))
        back = F.fold(windows, (4, 6), (2, 3), padding=(1, 0), stride=(2, 1))
        turned = x.rot90(1, (2, 3)), x.rot90(2, (1, 3)), x.rot90(-1, (3, 2)), x.swapaxes(1, 3)
        rows, columns = torch.meshgrid(x[0, 0, :, 0], x[0, 0, 0], indexing="ij")
        largest, places = F.max_pool2d(x, 2, return_indices=True)
        marked = x.index_fill(1, torch.tensor([0, 5]), 9.0), F.max_unpool2d(largest, places, 2)
        found = torch.isin(x.round(), torch.tensor([0.0, 1.0])), torch.msort(x[0, 0]), x.diff(dim=2)
        small = F.interpolate(x, (3, 2), mode="bilinear", antialias=True)
        return larger, smaller, channels, windows, back, turned, rows, columns, marked, found, small


def inputs():
    return (torch.randn(2, 8, 4, 6),)
