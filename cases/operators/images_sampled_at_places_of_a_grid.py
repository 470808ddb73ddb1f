"""
title: grid_sample in every interpolation and padding mode
description: >
  Points outside of the image are zero, at the border or reflected. align_corners says whether -1
  and 1 are centres or edges of the outer pixels, and the first coordinate is the column.
advice: >
  Keep empty batches from the capture where it is called: nothing in the graph checks the lower
  end of the declared range.
tags: [torch.decomposition, torch.dynamic-shape]
timeout: 180
tolerance: {rtol: 0.001, atol: 0.001}
"""

import torch
from torch.export import Dim
from torch.nn import functional as F


class Model(torch.nn.Module):
    def forward(self, image, turn):
        inner = F.affine_grid(turn, (image.shape[0], 2, 4, 3), align_corners=False)
        outer = F.affine_grid(turn, (image.shape[0], 2, 3, 4), align_corners=True)
        plain = F.grid_sample(image, inner * 1.5, align_corners=False)
        border = F.grid_sample(image, outer * 1.5, "bilinear", "border", True)
        nearest = F.grid_sample(image, inner * 1.7, "nearest", "reflection", True)
        return inner, outer, plain, border, nearest


n = Dim("n", min=1, max=16)
dynamic_shapes = {"image": {0: n}, "turn": {0: n}}


def inputs(n=7):
    return torch.randn(n, 2, 5, 6), torch.randn(n, 2, 3)
