"""
title: Thumbnail of an image with antialias, and its colour as one pixel
description: >
  With antialias=True every pixel of the thumbnail is a mean of all pixels that it covers. Without
  it only the nearest ones count, and fine stripes turn into coarse ones. One pixel for the whole
  image is weighted towards the middle.
tags: [torch.operator, torch.dynamic-shape]
"""

import torch
from torch.export import Dim
from torch.nn.functional import interpolate


class Model(torch.nn.Module):
    def forward(self, image):
        thumbnail = interpolate(image, (3, 4), mode="bilinear", antialias=True)
        aliased = interpolate(image, (3, 4), mode="bilinear")
        sharp = interpolate(image, (2, 6), mode="bicubic", antialias=True)
        colour = interpolate(image, (1, 1), mode="bilinear", antialias=True)
        return thumbnail, thumbnail - aliased, sharp, image - colour


dynamic_shapes = {"image": {0: Dim("n", min=1, max=16)}}


def inputs(n=5):
    return torch.randn(n, 3, 9, 14)
