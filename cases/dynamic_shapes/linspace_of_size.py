"""
title: torch.linspace with a dynamic number of steps
description: >
  torch.linspace takes its number of steps as a plain int, so a dynamic size becomes a constant.
  The rewrite divides an arange, which does take a symbolic size.
tags: [torch.dynamic-shape, torch.operator]
rewrites: [dynamic_shapes/steps_of_size_by_arange]
references: [pytorch#172930]
errors: [E0101]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        return x + torch.linspace(0, 1, x.shape[0])[:, None]


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=6):
    return (torch.randn(n, 3),)
