"""
title: Grid of patches kept as two dimensions
description: >
  The tokens come with their height and width as sizes of their own, so neither has to be found from
  the other, and grids that are no squares work too.
tags: [torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, tokens):
        return torch.nn.functional.avg_pool2d(tokens.permute(0, 3, 1, 2), 2)


side = Dim("side", min=4, max=12)
dynamic_shapes = {"tokens": {1: side, 2: side}}


def inputs(side=5):
    return torch.randn(1, side, side, 3)
