"""
title: Grid of patches given by the sizes of a second tensor
description: >
  A map with one place for each patch comes with the tokens, and its height and width are the grid.
  Neither has to be found from the number of tokens, and grids that are no squares work too.
tags: [torch.dynamic-shape, torch.dim-hint]
dims: {side: {min: 4, max: 12}}
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, tokens, like):
        image = tokens.transpose(1, 2).reshape(tokens.shape[0], 3, *like.shape)
        return torch.nn.functional.avg_pool2d(image, 2)


dynamic_shapes = {"tokens": {1: Dim.AUTO}, "like": {0: Dim.AUTO, 1: Dim.AUTO}}


def inputs(side=5):
    return torch.randn(1, side * side, 3), torch.zeros(side, side)
