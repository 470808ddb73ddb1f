"""
title: View in place of a split of a dynamic size
description: >
  The pieces become a dimension of one tensor, whose size may be a symbol, instead of the elements
  of a list.
tags: [torch.dynamic-shape, torch.view, torch.derived-dim]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        return x.view(-1, 4).sum(1)


dynamic_shapes = {"x": {0: 4 * Dim("pieces", min=2, max=8)}}


def inputs(pieces=3):
    return torch.randn(4 * pieces)
