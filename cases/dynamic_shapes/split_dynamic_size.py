"""
title: split of a dynamic size into pieces of fixed size
description: >
  The number of pieces depends on the size, and so does the length of the list that split returns:
  a Python list has one length while tracing, which pins the size. A view with the pieces as a
  dimension keeps their number symbolic.
tags: [torch.dynamic-shape, torch.specialization, python.data-structure]
rewrites: [dynamic_shapes/size_multiple_of_constant]
errors: [E0103, E0503]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        return torch.stack([piece.sum() for piece in x.split(4)])


dynamic_shapes = {"x": {0: 4 * Dim("pieces", min=2, max=8)}}


def inputs(pieces=3):
    return torch.randn(4 * pieces)
