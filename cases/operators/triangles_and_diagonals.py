"""
title: tril, triu, diag, diagonal and diag_embed
description: >
  diag makes a matrix of a vector and takes a vector from a matrix; the offset is positive above
  the diagonal. diagonal is a view of its matrix.
tags: [torch.sweep, torch.view, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        triangles = x.tril(), x.triu(1), x.tril(-1), x.triu(-2)
        lines = x.diagonal(), x.diagonal(1).clone(), x[0].diag(-1), torch.diag_embed(x, offset=1)
        places = torch.tril_indices(3, 4, -1), torch.triu_indices(3, 4, 1)
        return (
            triangles,
            lines,
            places,
            torch.block_diag(x, x[:1]),
            x[:, :1].diagflat(),
            torch.eye(3, 4),
        )


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=5):
    return (torch.randn(n, 4),)
