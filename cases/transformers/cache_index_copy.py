"""
title: Cache written with index_copy_ at a position given as a tensor
description: >
  The position stays a tensor: index_copy_ writes the row that it names, and no size depends on
  it. A position outside of the cache is an error when the program runs.
tags: [torch.attention, torch.mutation, torch.buffer]
references: [pytorch#155862]
dims: {position: {min: 0, max: 7}}
"""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("keys", torch.zeros(8, 3))

    def forward(self, x, position):
        self.keys.index_copy_(0, position, x)
        return x @ self.keys.T


def inputs(position=5):
    return torch.randn(1, 3), torch.tensor([position])


def rejects():
    yield torch.randn(1, 3), torch.tensor([8])
