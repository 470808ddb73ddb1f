"""
title: Square view whose side is the size of an input
description: >
  The side is read from the size of another input and squared, which are symbols all the way. The
  number of patches is then tied to it by the view.
tags: [torch.view, torch.dim-hint, torch.dynamic-shape]
dims: {side: {min: 2, max: 9}}
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, patches, row):
        side = row.shape[0]
        return patches.view(side, side) * row


dynamic_shapes = {"patches": {0: Dim.AUTO}, "row": {0: Dim.AUTO}}


def inputs(side=5):
    return torch.randn(side * side), torch.randn(side)


def rejects():
    yield torch.randn(24), torch.randn(4)
