"""
title: Boxes scaled back to the sizes of the original images
description: >
  The network's boxes lie between 0 and 1. The sizes of the original images come as a tensor of
  heights and widths, are turned round and broadcast over the boxes; they are never read as numbers.
tags: [torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, boxes, sizes):
        center, extent = boxes.split(2, dim=-1)
        corners = torch.cat([center - extent / 2, center + extent / 2], dim=-1)
        scale = sizes.flip(1).repeat(1, 2)
        limit = scale[:, None].to(boxes.dtype)
        return torch.minimum((corners * limit).clamp(min=0), limit)


batch = Dim("batch", min=1, max=8)
dynamic_shapes = {"boxes": {0: batch, 1: Dim("n", min=0, max=32)}, "sizes": {0: batch}}


def inputs(batch=3, n=5):
    return torch.rand(batch, n, 4), torch.randint(200, 900, (batch, 2))
