"""
title: flip, roll, rot90 and movedim
description: >
  A roll by more than the size wraps around again, a negative one goes the other way, and without
  a dimension the tensor is rolled as one long row.
tags: [torch.sweep, torch.view, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        rolled = x.roll(2, 0), x.roll(-1, 1), x.roll((7, 1), (0, 2)), x.roll(5)
        turned = x.flip(0, 2), x.fliplr(), x.flipud(), x.rot90(1, (1, 2)), x.rot90(-1, (0, 1))
        moved = x.movedim(0, -1), x.permute(2, 0, 1), x.swapaxes(0, 1), x.mT, x.flatten(1)
        return rolled, turned, moved, x.unflatten(2, (2, 2)), torch.squeeze(x[:, :1], 1)


dynamic_shapes = {"x": {0: Dim("n", min=1, max=16)}}


def inputs(n=6):
    return (torch.randn(n, 3, 4),)
