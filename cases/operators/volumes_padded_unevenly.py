"""
title: Volumes padded and unpooled by another amount along each dim
description: >
  Depth, height and width each have a padding of their own, counted from the last dim, and the maxima of a pool
  with a padding of its own are put back where they were.
tags: [torch.operator, torch.sweep, torch.dynamic-shape]
"""

import torch
from torch.export import Dim
from torch.nn import functional as F


class Model(torch.nn.Module):
    def forward(self, x):
        pads = (2, 0, 1, 3, 0, 1)
        mirrored, repeated = F.pad(x, pads, "reflect"), F.pad(x, pads, "replicate")
        around = F.pad(x, pads, "circular"), F.pad(x, (-1, 2, 0, -2, 1, 0), value=0.5)
        kernel, stride, padding = (2, 3, 2), (2, 2, 1), (0, 1, 1)
        highest, places = F.max_pool3d(x, kernel, stride, padding, return_indices=True)
        back = F.max_unpool3d(highest, places, kernel, stride, padding, output_size=x.shape[2:])
        return mirrored, repeated, around, back


dynamic_shapes = {"x": {0: Dim("n", min=1, max=8)}}


def inputs(n=7):
    return (torch.arange(n * 2 * 120) * 47 % 241).reshape(n, 2, 4, 5, 6) / 50
