"""
title: Index from searchsorted kept as a tensor
description: >
  The bins are a tensor with one dimension, and index_select looks the rows up when the program
  runs. It does the same for one value and for many.
tags: [torch.operator]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, edges, table, value):
        place = torch.searchsorted(edges, value.reshape(1))
        return table.index_select(0, place).squeeze(0) * 2


def inputs():
    return torch.tensor([1.0, 2.0, 4.0]), torch.randn(4, 5), torch.tensor(2.5)


def accepts():
    yield torch.tensor([1.0, 2.0, 4.0]), torch.randn(4, 5), torch.tensor(0.5)
    yield torch.tensor([1.0, 2.0, 4.0]), torch.randn(4, 5), torch.tensor(2.0)
    yield torch.tensor([1.0, 2.0, 4.0]), torch.randn(4, 5), torch.tensor(9.0)
