"""
title: Padding in two steps, padding that is cut off again, and negative padding
description: >
  Two paddings are one only with the same value, a reflection sees what was padded before, and a
  cut undoes a padding only on its own side and by as much. What negative padding takes away,
  positive does not bring back.
tags: [torch.sweep, torch.decomposition, torch.dynamic-shape]
"""

import torch
from torch.export import Dim
from torch.nn import functional as F


class Model(torch.nn.Module):
    def forward(self, x):
        values = F.pad(F.pad(x, (1, 0)), (0, 2), value=1.5), F.pad(F.pad(x, (2, 1)), (1, 1))
        mirrored = F.pad(F.pad(x, (1, 1)), (2, 1), "reflect"), F.pad(x, (1, 1), "circular")
        cut = F.pad(x, (2, 1))[..., 1:], F.pad(x, (2, 1))[..., :-2], F.pad(x, (1, 2))[..., 1:-2]
        return values, mirrored, cut, F.pad(mirrored[1], (1, 2)), F.pad(F.pad(x, (-1, -1)), (1, 1))


dynamic_shapes = {"x": {0: Dim("n", min=1, max=8)}}


def inputs(n=5):
    return (torch.randn(n, 3, 4),)
