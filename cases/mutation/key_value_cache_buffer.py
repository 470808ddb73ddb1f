"""
title: Key-value cache kept in a buffer
description: >
  A decoder writes the keys of the current token into its cache at a position given as a tensor,
  then reads the whole cache. The cache is a buffer of fixed size, so nothing about it depends on
  data but what is written where.
tags: [torch.mutation, torch.buffer]
references: [pytorch#155862]
"""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("keys", torch.zeros(8, 3))

    def forward(self, key, position):
        self.keys.index_copy_(0, position, key)
        return self.keys @ key.T


def inputs():
    return torch.randn(1, 3), torch.tensor([2])


def accepts():
    yield torch.randn(1, 3), torch.tensor([0])
    yield torch.randn(1, 3), torch.tensor([7])


def rejects():
    yield torch.randn(1, 3), torch.tensor([8])
