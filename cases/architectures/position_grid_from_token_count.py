"""
title: Grid of patches found by the square root of their number (ViT)
description: >
  The model sees only tokens and takes their number for a square: its side is the int of the square
  root. The root of a symbolic size is a float, and int() of it a number of the moment. The rewrite
  is given the grid in the shape of the tokens.
tags: [torch.dynamic-shape, torch.specialization, torch.sym-scalar]
rewrites: [architectures/position_grid_given]
pitfalls: [dynamic_shapes/square_view_of_flat_size]
errors: [E0101]
dims: {side: {min: 4, max: 12}}
"""

import math

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, tokens):
        side = int(math.sqrt(tokens.shape[1]))
        image = tokens.transpose(1, 2).reshape(tokens.shape[0], 3, side, side)
        return torch.nn.functional.avg_pool2d(image, 2)


dynamic_shapes = {"tokens": {1: Dim.DYNAMIC}}


def inputs(side=5):
    return torch.randn(1, side * side, 3)
