"""
title: Broadcasting a column against a row
description: >
  Both operands are broadcast, and neither has the size of the result. A kernel that reads one of
  them as if it had repeats the wrong values.
tags: [torch.operator, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x, y, table):
        column, row = x[:, None], y[None]
        numbers = column + row, column - row, column * row, column / row, torch.maximum(column, row)
        found = (
            column < row,
            column == row.round(),
            column >= row,
            torch.where(column > row, row, 0),
        )
        beside = table + x[:, None], table * y, table - x[:, None] * 2, table / column.exp()
        three = torch.stack([table, table - 1, table * 2])[:, None]
        stacked = three @ torch.stack([table.t(), table.t() + 1])[None]
        return numbers, found, beside, stacked, torch.where(column > 0, table, column)


n, m = Dim("n", min=2, max=16), Dim("m", min=2, max=16)
dynamic_shapes = {"x": {0: n}, "y": {0: m}, "table": {0: n, 1: m}}


def inputs(n=5, m=3):
    return torch.randn(n), torch.randn(m), torch.randn(n, m)
