"""
title: Index from searchsorted read with item()
description: >
  searchsorted finds the bin of a value, and item() turns the bin into a number that indexes a
  table. The number could be anything as far as tracing knows; the tensor itself can be the index.
tags: [torch.item, torch.unbacked-symbol]
requires: [values]
rewrites: [data_dependent/searchsorted_as_index]
pitfalls: [data_dependent/index_scalar_tensor]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, edges, table, value):
        place = torch.searchsorted(edges, value).item()
        return table[place] * 2


def inputs():
    return torch.tensor([1.0, 2.0, 4.0]), torch.randn(4, 5), torch.tensor(2.5)


def accepts():
    yield torch.tensor([1.0, 2.0, 4.0]), torch.randn(4, 5), torch.tensor(0.5)
    yield torch.tensor([1.0, 2.0, 4.0]), torch.randn(4, 5), torch.tensor(2.0)
    yield torch.tensor([1.0, 2.0, 4.0]), torch.randn(4, 5), torch.tensor(9.0)
