"""
title: squeeze of chosen dimensions, unflatten with -1 and linspace of one step
description: >
  Of several dimensions of size one only the given ones are squeezed, and -1 in unflatten is
  computed from the other sizes. linspace and logspace with one step have a start and no end.
tags: [torch.operator, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        parts = x.unflatten(1, (-1, 2)), x.unflatten(1, (3, -1)), x.unflatten(-1, (-1, 3, 1))
        wide = x[:, None, :, None, None]
        dropped = wide.squeeze(1), wide.squeeze(-1), wide.squeeze((1, 3)), wide.squeeze(0)
        spaces = torch.linspace(2, 5, 1), torch.logspace(0, 2, 1), torch.linspace(3, -1, 5)
        return parts, dropped, x.mean(0) + spaces[0], spaces


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=4):
    return (torch.randn(n, 6),)
