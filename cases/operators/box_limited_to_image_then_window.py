"""
title: Corners of boxes limited to an image and then to a window of it
description: >
  Two clamps follow each other. Where the window lies within the image, the narrower limits
  decide; where it lies outside, all corners end on its nearer side. A clamp with both lower
  limits and both upper limits at once would put them on the other.
tags: [torch.decomposition, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, corners):
        image = corners.clamp(0, 20)
        inside, partly, outside = image.clamp(6, 14), image.clamp(15, 40), image.clamp(24, 30)
        return inside, partly, outside, image.clamp(-9, -3), image.clamp(max=8).clamp(min=12)


dynamic_shapes = {"corners": {0: Dim("n", min=1, max=16)}}


def inputs(n=5):
    return torch.randn(n, 4) * 9 + 10
