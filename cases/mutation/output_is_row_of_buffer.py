"""
title: Output that is a view of a buffer
description: >
  The row that was just written is returned as a view of the cache. It shows what is in the cache
  now, and will show what the next call writes there.
tags: [torch.buffer, torch.aliasing, torch.view, torch.mutation]
"""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("cache", torch.zeros(5, 4))

    def forward(self, x):
        self.cache.copy_(torch.roll(self.cache, 1, 0))
        self.cache[0] = x.sum(0)
        return self.cache[0], self.cache.sum(1)


def inputs():
    return torch.randn(3, 4)
