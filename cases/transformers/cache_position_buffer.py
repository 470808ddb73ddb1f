"""
title: Position in the cache counted in a buffer
description: >
  The number of tokens seen so far is a buffer next to the cache. The row is written where it says,
  then it is increased in place, so the next call goes on from there.
tags: [torch.attention, torch.mutation, torch.buffer]
"""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("keys", torch.zeros(8, 3))
        self.register_buffer("position", torch.zeros(1, dtype=torch.int64))

    def forward(self, x):
        self.keys.index_copy_(0, self.position, x)
        self.position.add_(1)
        return x @ self.keys.T


def inputs():
    return (torch.randn(1, 3),)
