"""
title: chunk of a size that is a multiple of the number of pieces
description: >
  Declared as three times a Dim, the size always splits into three equal pieces.
tags: [torch.derived-dim, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        return torch.stack([piece.sum() for piece in x.chunk(3)])


dynamic_shapes = {"x": {0: 3 * Dim("third", min=2, max=10)}}


def inputs(third=4):
    return torch.randn(3 * third)
