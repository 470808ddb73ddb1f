"""
title: A one-hot matrix times a table, which is a lookup, and what is almost one
description: >
  The product with one_hot takes a row of the table. Labels that are smoothed, several labels
  added up or the other dimension of the table make a sum of rows or columns, and an ignored label
  none.
tags: [torch.sweep, torch.decomposition, torch.dynamic-shape]
"""

import torch
from torch.export import Dim
from torch.nn import functional as F


class Model(torch.nn.Module):
    def forward(self, ids, pairs, table):
        hot = F.one_hot(ids, 4).to(table.dtype)
        rows = hot @ table, hot @ table.mT, (hot * 0.9 + 0.025) @ table, (1 - hot) @ table
        several = F.one_hot(pairs, 4).sum(1).float() @ table, F.one_hot(pairs, 4).amax(1)
        counts = hot.sum(0), hot.cumsum(0), hot.mT @ hot, (hot * table[:1]).sum(1)
        known = (ids > 0)[:, None] * hot @ table
        return rows, several, counts, known, (ids[:, None] == torch.arange(4)).float() @ table


n = Dim("n", min=1, max=16)
dynamic_shapes = {"ids": {0: n}, "pairs": {0: n}, "table": None}


def inputs(n=7):
    pairs = torch.arange(2 * n).view(n, 2)
    return torch.arange(n) % 4, pairs % torch.tensor([4, 3]), torch.randn(4, 4)
