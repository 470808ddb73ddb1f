"""
title: Part of an image cut out by a box and averaged
description: >
  The corners of the box are read with tolist() and used as the bounds of slices. The size of the
  cut-out is data, and the bounds may be in any order as far as a tracer knows. The rewrite averages
  with a mask.
tags: [torch.item, torch.unbacked-symbol, torch.view]
requires: [values]
rewrites: [detection/crop_by_mask]
errors: [E0007]
dims: {top: {min: 0, max: 4}, bottom: {min: 5, max: 9}}
allow:
  L056: the constant is the axis after the channels, which no size is compared with
"""

import torch


class Model(torch.nn.Module):
    def forward(self, image, box):
        top, left, bottom, right = box.tolist()
        return image[:, top:bottom, left:right].mean((1, 2))


def inputs(top=2, bottom=7):
    return torch.randn(3, 9, 11), torch.tensor([top, 4, bottom, 10])
