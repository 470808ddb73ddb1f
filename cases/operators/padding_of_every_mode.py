"""
title: F.pad by reflection, replication, circular and constant, also negative
description: >
  Reflection leaves out the edge and replication does not; circular padding takes from the other
  end; a negative amount crops. In 2d and 3d the last dimension is given first.
tags: [torch.sweep, torch.decomposition, torch.dynamic-shape]
"""

import torch
from torch.export import Dim
from torch.nn import functional as F


class Model(torch.nn.Module):
    def forward(self, x, image, volume):
        lines = F.pad(x, (2, 1), mode="reflect"), F.pad(x, (3, 0), mode="replicate")
        images = (
            F.pad(image, (2, 1, 0, 3), mode="reflect"),
            F.pad(image, (1, 0, 2, 3), mode="circular"),
        )
        more = F.pad(image, (0, 2, 1, 3), mode="replicate"), F.pad(image, (1, -2, 0, 1), value=7.0)
        cubes = (
            F.pad(volume, (1, 2, 0, 1, 2, 0), mode="replicate"),
            F.pad(volume, (1,) * 6, "reflect"),
        )
        return lines, images, more, cubes


n = Dim("n", min=1, max=16)
dynamic_shapes = {"x": {0: n}, "image": {0: n}, "volume": {0: n}}


def inputs(n=10):
    return torch.randn(n, 2, 6), torch.randn(n, 2, 5, 6), torch.randn(n, 2, 4, 5, 6)
