"""
title: One buffer shared by two layers
description: >
  Two layers share their running mean: the first writes to it in place, the second reads it under
  a name of its own. Both names have to stay one tensor, also in later calls.
tags: [torch.buffer, torch.mutation]
"""

import torch


class Layer(torch.nn.Module):
    def __init__(self, mean, rate):
        super().__init__()
        self.register_buffer("mean", mean)
        self.rate = rate

    def forward(self, x):
        self.mean.lerp_(x.mean(0), self.rate)
        return x - self.mean


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        mean = torch.zeros(4)
        self.first, self.second = Layer(mean, 0.5), Layer(mean, 0.25)

    def forward(self, x):
        return self.second(self.first(x)), self.second.mean * 2


def inputs():
    return (torch.randn(3, 4),)
