"""
title: Rows taken by an index of an index, of a table or along two dimensions
description: >
  x[i][j] is x[i[j]] and not x[j[i]]; along two dimensions it is a grid of elements, where x[i, j]
  takes pairs. What is taken of the sum of two tables is the sum of what is taken, at the same
  places alone.
tags: [torch.sweep, torch.scatter, torch.decomposition]
"""

import torch
from torch.nn import functional as F


class Model(torch.nn.Module):
    def forward(self, x, i, j):
        twice = x[i][j], x[i[j]], x[j][i], x.index_select(0, i).index_select(0, j)
        grid = x[i][:, j], x[i, j], x.index_select(0, i).index_select(1, j), x[:, j][i]
        each = x.gather(1, i[:, None]).gather(0, j[:, None] % 2), x.take_along_dim(i[None], 1)[:, j]
        table = F.embedding(F.embedding(i, j[:, None])[:, 0], x), F.embedding(i, x)
        return twice, grid, each, table, x[i].flip(0)[j], x.flip(0)[i], x[i].sum(0), x.sum(0)[j]


def inputs():
    return torch.randn(4, 4), torch.tensor([2, 0, 3, 1]), torch.tensor([1, 2, 2, 0])
