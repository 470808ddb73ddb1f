"""
title: Row and column of a cell number beyond 2**24, by // and %
description: >
  A grid of a country has more cells than single precision has whole numbers. The number of a cell
  is divided by the width of the grid for its row, and the remainder is its column. Through
  float32 the last digits are lost, and the last cell of a row becomes the first of the next.
tags: [torch.dtype, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, cell):
        row, column = cell // 4099, cell % 4099
        part = torch.div(cell, -3, rounding_mode="trunc"), torch.fmod(cell, 3)
        return row, column, part, row * 4099 + column - cell


dynamic_shapes = {"cell": {0: Dim("n", min=1, max=16)}}


def inputs(n=5):
    return 4099 * (250_000 + torch.arange(n) * 3001) - 1


def accepts():
    yield torch.tensor([2**24 + 1, 2**31 + 4099, 4099 * 4099 * 7 - 1, -(2**25) - 1])
