"""
title: Observer whose highest reading is a buffer, written in place
description: >
  The highest reading of every channel is registered as a buffer, which a capture takes for state:
  what one call writes, the next one reads.
tags: [torch.mutation, torch.buffer]
"""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("highest", torch.tensor([0.1, 0.5, 1.0, 1.5]))

    def forward(self, x):
        self.highest.copy_(torch.maximum(self.highest, x.amax(0)))
        return x / self.highest


def inputs():
    return torch.randn(3, 4) * 2
