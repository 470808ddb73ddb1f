"""
title: The loss of a segmentation of camera images in half precision
description: >
  Images of bytes are resized, a region of autocast computes in half precision, where large scores
  become infinite and are replaced, and pixels of no class count neither in the loss nor in the
  share that label smoothing spreads.
tags: [torch.dtype, torch.operator, torch.dynamic-shape]
requires: [cpu-kernels]
references: [pytorch#113024]
"""

import torch
from torch.export import Dim
from torch.nn import functional as F


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.scores = torch.nn.Linear(3, 4)

    def forward(self, images, classes):
        small = F.interpolate(images, size=(3, 5), mode="bilinear").float() / 255
        with torch.autocast("cpu", dtype=torch.float16):
            scores = self.scores(small.movedim(1, -1)) * 1000
        bounded = (scores.half() * 50).nan_to_num(nan=0.0)
        loss = F.cross_entropy(
            scores.float().flatten(0, 2) / 1000, classes, label_smoothing=0.2, ignore_index=255
        )
        return loss, bounded, scores


dynamic_shapes = {"images": {2: Dim("h", min=4, max=16)}, "classes": None}


def inputs(h=7):
    pixels = torch.arange(2 * 3 * h * 6) * 37 % 251
    return pixels.to(torch.uint8).view(2, 3, h, 6), torch.tensor([0, 1, 255, 2, 3] * 6)
