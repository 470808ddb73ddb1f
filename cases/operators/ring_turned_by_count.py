"""
title: Ring of the last readings turned by more than its length
description: >
  The ring has a place for each of the last readings, and the oldest is moved to the front by
  torch.roll. The count of readings goes on beyond the length of the ring, and so does the shift:
  it goes round once and more, forwards or backwards.
tags: [torch.operator, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, ring):
        oldest_first = ring.roll(-38, 0)
        newest_first = ring.roll(38, 0).flip(0)
        return oldest_first, newest_first, ring.roll((-9, 7), (0, 1)), ring.roll(-50)


dynamic_shapes = {"ring": {0: Dim("n", min=1, max=16)}}


def inputs(n=5):
    return torch.randn(n, 3)
