"""
title: Flat tokens viewed as a square
description: >
  A vision model gets k * k patches in a row and views them as an image whose side is the root of
  their number. int() wants a number, so the side of the example may be baked in, and no dim can
  be declared as a square. The rewrite passes a tensor of the side's length.
tags: [torch.view, torch.sym-scalar, torch.specialization]
dims: {side: {min: 2, max: 9}}
rewrites: [dynamic_shapes/square_view_with_side]
errors: [E0104, E0131]
"""

import math

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, patches, row):
        side = int(math.sqrt(patches.shape[0]))
        return patches.view(side, side) * row


dynamic_shapes = {"patches": {0: Dim.AUTO}, "row": {0: Dim.AUTO}}


def inputs(side=5):
    return torch.randn(side * side), torch.randn(side)


def rejects():
    yield torch.randn(24), torch.randn(4)
