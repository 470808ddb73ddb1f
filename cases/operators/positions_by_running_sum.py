"""
title: Positions counted by a running sum of ones, of a mask or of steps, and differences of it
description: >
  The running sum of ones is a range, in the type and along the dimension of the ones. Of a mask
  it counts what was let through; less the element itself it begins at nought; differences undo it
  but for the first.
tags: [torch.sweep, torch.decomposition, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x, mask):
        ones = torch.ones_like(x).cumsum(1), torch.ones(x.shape[0], 3).cumsum(0) - 1, mask.cumsum(1)
        other = torch.full((4, 3), 2.5).cumsum(1), torch.ones_like(mask).cumsum(1)
        before = x.cumsum(1) - x, x.cumsum(1)[:, -1], x.cumsum(1)[:, :-1], x.cumsum(0)[-1] - x[0]
        steps = x.cumsum(1).diff(dim=1), x.diff(dim=1).cumsum(1), x.diff(dim=0).sum(0)
        twice = x.cumsum(0).cumsum(1), x.cumsum(1).cumsum(1), x.cumsum(1).amax(1)
        return ones, other, before, steps, twice, (mask.cumsum(1) - 1).clamp(min=0) * mask


n = Dim("n", min=3, max=16)
dynamic_shapes = {"x": {0: n}, "mask": {0: n}}


def inputs(n=5):
    return torch.randn(n, 4), torch.arange(n * 4).view(n, 4) % 3 > 0
