"""
title: Diagonals and triangles with an offset on the other side
description: >
  A negative offset takes a diagonal below the main one, a positive one above it. Both are needed
  to tell an offset from its size alone, and so are dimensions counted from the end.
tags: [torch.sweep, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        square = x[0]
        lines = x.diagonal(-1, -2, -1), square.diagonal(-2), square.diag(1), square.diagflat(1)
        written = torch.diagonal_scatter(x, x[:, :3, 0], -1, 1, 2)
        turned = torch.diagonal_scatter(x, x[:, 0, :3], -1, dim1=-1, dim2=-2)
        stacked = torch.diag_embed(x[:, :2, 0], offset=-1, dim1=0, dim2=2)
        below = torch.triu_indices(4, 4, offset=-1), torch.tril_indices(4, 4, offset=1)
        return lines, written, turned, stacked, below, x.tril(-1), x.triu(-1)


dynamic_shapes = {"x": {0: Dim("n", min=1, max=16)}}


def inputs(n=5):
    return (torch.randn(n, 4, 4),)
