"""
title: Two linear layers without an activation between them, and factors on the way
description: >
  They could be one layer, whose bias is that of the first seen through the second. A factor
  between them scales the first bias too, one behind them both, and what lies between is needed
  elsewhere.
tags: [torch.module, torch.decomposition, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.down, self.up = torch.nn.Linear(6, 2), torch.nn.Linear(2, 4)
        self.plain = torch.nn.Linear(2, 4, bias=False)

    def forward(self, x):
        low = self.down(x)
        between, behind = self.up(low * 0.5), self.up(low) * 0.5
        return between, behind, self.plain(low) / 3, self.plain(low + 1), low


dynamic_shapes = {"x": {0: Dim("n", min=1, max=8)}}


def inputs(n=5):
    return (torch.randn(n, 6),)
