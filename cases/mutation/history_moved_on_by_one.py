"""
title: Buffer of the last values, shifted by one in each call
description: >
  Each call shifts the buffer by one, writes the new value at the end, and counts. What is read
  before the shift is what the last call left.
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
