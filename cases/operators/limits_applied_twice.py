"""
title: Clamps, relu and relu6 in a row, and limits in the wrong order
description: >
  Two clamps are one with the narrower limits only where these overlap; else the last one decides.
  With the lower limit above the upper clamp gives the upper, minimum of maximum the other way
  round the lower.
tags: [torch.sweep, torch.decomposition, torch.dynamic-shape]
"""

import torch
from torch.export import Dim
from torch.nn import functional as F


class Model(torch.nn.Module):
    def forward(self, x, low):
        narrow = x.clamp(-1, 2).clamp(0, 3), x.clamp(-2, -1).clamp(0, 1), x.clamp(0, 1).clamp(2, 3)
        one_sided = x.clamp(min=1).clamp(max=0), x.clamp(max=0).clamp(min=1), x.clamp(max=-1).relu()
        named = F.relu6(x * 4).clamp(max=3), F.hardtanh(x).relu(), F.relu6(x.relu() + 5)
        crossed = x.clamp(1, -1), torch.minimum(torch.maximum(x, low), low - 1)
        order = x.clamp(min=low).clamp(max=0.5), torch.maximum(x.clamp(max=0.5), low)
        return narrow, one_sided, named, crossed, order, x.relu().neg().relu()


n = Dim("n", min=1, max=16)
dynamic_shapes = {"x": {0: n}, "low": {0: n}}


def inputs(n=9):
    return torch.randn(n, 4) * 2, torch.randn(n, 4)
