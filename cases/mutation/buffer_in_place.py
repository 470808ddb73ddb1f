"""
title: Buffer changed in place
description: >
  A running average kept in a buffer. The new value has to be in the buffer after the call, where
  the next call finds it.
tags: [torch.mutation, torch.buffer]
references: [pytorch#111676]
"""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("average", torch.zeros(4))

    def forward(self, x):
        self.average.mul_(0.9).add_(0.1 * x.mean(0))
        return x - self.average


def inputs():
    return (torch.randn(3, 4),)
