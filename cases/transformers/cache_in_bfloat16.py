"""
title: A cache in bfloat16 that gets keys in float32
description: >
  The keys are computed in float32 and rounded when they are written into the cache, a buffer of bfloat16, to which
  the scores then refer. A cache that takes on the dtype of what is written gives other scores.
tags: [torch.buffer, torch.mutation, torch.dtype]
"""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("cache", torch.zeros(8, 4, dtype=torch.bfloat16))

    def forward(self, key, query, position):
        self.cache.index_copy_(0, position, key.to(self.cache.dtype))
        self.cache[-1] = key.mean(0)
        return query @ self.cache.float().t(), self.cache.abs().amax()


def inputs():
    key = torch.linspace(-1, 1.1, 12).reshape(3, 4)
    return key, torch.linspace(0.3, 2, 8).reshape(2, 4), torch.tensor([4, 0, 5])


def accepts():
    key, query, position = inputs()
    yield key / 3, query, position.flip(0)
    yield key * 7, -query, torch.tensor([2, 1, 6])
