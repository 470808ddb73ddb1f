"""
title: Boxes of each class moved apart by the largest coordinate
description: >
  To treat classes separately in one call, all boxes of a class are moved by its number times the
  largest coordinate. With no boxes at all there is no largest coordinate, and max() raises; the
  range of the number of boxes begins at 1.
tags: [torch.dynamic-shape, torch.zero-one]
references: [pytorch/vision#9395]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, boxes, labels):
        return boxes + labels[:, None] * (boxes.max() + 1)


n = Dim("n", min=1, max=32)
dynamic_shapes = {"boxes": {0: n}, "labels": {0: n}}


def inputs(n=5):
    return torch.rand(n, 4) * 20, torch.randint(3, (n,))
