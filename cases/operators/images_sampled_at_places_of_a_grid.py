"""
title: Images sampled at the places of a grid, in every mode
description: >
  Places outside of the image are zero, at the border or reflected, corners are the centres of the
  outer pixels or their edges, and the first coordinate is the column.
tags: [torch.decomposition, torch.dynamic-shape]
tolerance: {rtol: 0.001, atol: 0.001}
"""

import torch
from torch.export import Dim
from torch.nn import functional as F


class Model(torch.nn.Module):
    def forward(self, image, turn):
        size = image.shape[0], 2, 4, 3
        inner, outer = F.affine_grid(turn, size), F.affine_grid(turn, size, align_corners=True)
        sampled = [
            F.grid_sample(image, grid * 1.5, mode, padding_mode, corners)
            for mode, grid in (("bilinear", inner), ("nearest", inner * 0.9), ("bicubic", outer))
            for padding_mode, corners in (("zeros", False), ("border", True), ("reflection", False))
        ]
        return inner, outer, sampled


n = Dim("n", min=1, max=16)
dynamic_shapes = {"image": {0: n}, "turn": {0: n}}


def inputs(n=3):
    return torch.randn(n, 2, 5, 6), torch.randn(n, 2, 3)
