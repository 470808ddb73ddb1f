"""
title: Last readings kept in a buffer that is moved on by one
description: >
  Each call moves what is kept one place to the front and writes the new reading at the end,
  then counts. What is read before the move is what the last call left.
tags: [torch.buffer, torch.mutation]
"""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("kept", torch.arange(15.0).reshape(5, 3))
        self.register_buffer("count", torch.tensor(3))

    def forward(self, x):
        oldest, before = self.kept[0] + 0, self.kept.sum()
        self.kept[:-1] = self.kept[1:].clone()
        self.kept[-1] = x
        self.count += 1
        trend = self.kept[-1] - self.kept[0]
        self.kept.mul_(0.5)
        return oldest, before, trend, self.kept.mean(0), self.count * 2


def inputs():
    return torch.randn(3)
