"""
title: EmbeddingBag with indices that the program copies
description: >
  A clone that asks for contiguous memory is an operator of its own and stays in the graph, whatever
  the strides of the example, so the kernel reads the indices that it was given.
tags: [torch.decomposition, torch.stride, torch.operator]
"""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.bag = torch.nn.EmbeddingBag(10, 5, mode="sum")

    def forward(self, indices, offsets):
        indices = indices.clone(memory_format=torch.contiguous_format)
        offsets = offsets.clone(memory_format=torch.contiguous_format)
        return self.bag(indices, offsets)


def inputs():
    return torch.tensor([1, 3, 5, 7, 9]), torch.tensor([0, 2])


def accepts():
    table = torch.tensor([[1, 0], [3, 2], [5, 4], [7, 6], [9, 8]])
    yield table[:, 0], torch.tensor([0, 2])
