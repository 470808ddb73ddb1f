"""
title: Image padded by the negative remainder of its sizes
description: >
  -height % 4 is what a height lacks to the next multiple of four, and 0 for a multiple. Both padded
  sizes are expressions with a remainder, and cutting the image into squares needs to know that
  they are multiples. The rewrite counts the squares first.
tags: [torch.dynamic-shape, torch.view, torch.sym-scalar]
rewrites: [architectures/image_padded_by_count]
pitfalls: [symbolic_scalars/branch_on_parity]
references: [pytorch#144852]
errors: [E0108]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, image):
        height, width = image.shape
        image = torch.nn.functional.pad(image, (0, -width % 4, 0, -height % 4))
        rows, columns = image.shape[0] // 4, image.shape[1] // 4
        return image.view(rows, 4, columns, 4).amax((1, 3))


dynamic_shapes = {"image": {0: Dim("h", min=5, max=24), 1: Dim("w", min=5, max=24)}}


def inputs(h=9, w=11):
    return torch.randn(h, w)
