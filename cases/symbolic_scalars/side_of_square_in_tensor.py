"""
title: Side of a square in a tensor
description: >
  The size becomes a tensor of no dimensions; its root and the rounding are operators of the
  graph.
tags: [torch.sym-scalar, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        side = torch.full((), x.shape[0], dtype=torch.float64).sqrt().floor()
        return x * side


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=6):
    return (torch.randn(n, 3),)
