"""
title: Fresh tensors that are changed in place
description: >
  Positions are a range that is shifted, a mask is ones that are cleared in part, sums begin as
  zeros. Each is new in every call; whoever makes it once and keeps it gives the next call what the
  last one left.
tags: [torch.mutation, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x, offset):
        places = torch.arange(6)
        places += offset
        mask, bias = torch.ones(6, 6), torch.full((6,), 0.5)
        mask[places % 6] *= -1
        bias.add_(x.mean(0)).mul_(2)
        sums = torch.zeros(3, 6)
        sums.index_add_(0, places[:2] % 3, x[:2])
        return x * bias + mask.sum(0), sums, places, torch.eye(6).mul_(offset)


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}, "offset": None}


def inputs(n=5):
    return torch.randn(n, 6), torch.tensor(4)
