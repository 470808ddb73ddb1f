"""
title: nonzero(as_tuple=True) and indexing with the result
description: >
  as_tuple gives one tensor of indices for each dimension, all of the same unknown length. Indexing
  with them, and adding what comes out to the indices, is possible only because they share it.
tags: [torch.data-dependent-shape, torch.unbacked-symbol]
requires: [values]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        rows, columns = x.nonzero(as_tuple=True)
        return x[rows, columns] + 10 * rows + columns


def inputs():
    return torch.tensor([[0, 3, 0], [5, 0, 7]])


def accepts():
    yield torch.tensor([[0, 0, 0], [0, 0, 0]])
    yield torch.tensor([[0, 0, 0], [0, 2, 0]])
    yield torch.tensor([[1, 2, 3], [4, 5, 6]])
