"""
title: EmbeddingBag with indices that are a column of a table
description: >
  EmbeddingBag makes its indices contiguous before the kernel reads them. Where the example's are
  contiguous already, tracing keeps no trace of that, and a decomposed capture hands a column of a
  table to the kernel as it lies in memory: it reads the neighbours of the indices instead. No guard
  exists on strides. Offsets are read in the same way.
tags: [torch.decomposition, torch.stride, torch.operator]
rewrites: [decompositions/embedding_bag_indices_copied]
"""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.bag = torch.nn.EmbeddingBag(10, 5, mode="sum")

    def forward(self, indices, offsets):
        return self.bag(indices, offsets)


def inputs():
    return torch.tensor([1, 3, 5, 7, 9]), torch.tensor([0, 2])


def accepts():
    table = torch.tensor([[1, 0], [3, 2], [5, 4], [7, 6], [9, 8]])
    yield table[:, 0], torch.tensor([0, 2])
