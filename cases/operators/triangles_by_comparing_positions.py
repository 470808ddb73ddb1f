"""
title: Triangles, bands, blocks and stripes by comparing positions
description: >
  Which of two positions is larger makes a triangle, with or without its diagonal, the upper or
  the lower one. Differences make a band, quotients make blocks and remainders stripes, also where
  there are fewer rows than columns.
tags: [torch.sweep, torch.decomposition, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        row, column = torch.arange(x.shape[0])[:, None], torch.arange(x.shape[1])
        triangles = row >= column, row > column, row <= column, row + 2 >= column, column - row < -1
        shapes = (row - column).abs() < 2, row // 2 == column // 2, (row + column) % 3 == 0
        corner = row + column < 4, row == column, row == 3 - column, column >= 2, row < 2
        chosen = torch.where(row >= column, x, -1.0), x.masked_fill(row < column - 1, 0.0)
        return triangles, shapes, corner, chosen, x * (row > column), x.tril().triu(-1)


dynamic_shapes = {"x": {0: Dim("n", min=1, max=16)}}


def inputs(n=5):
    return (torch.randn(n, 7),)
