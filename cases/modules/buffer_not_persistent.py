"""
title: Buffer with persistent=False
description: >
  A table computed in the constructor is a buffer that is not saved with the weights. A capture has
  to carry its numbers all the same, and writing to it is state like any other.
tags: [torch.buffer, torch.mutation]
"""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("table", torch.tensor([2.0, 3.0, 5.0, 7.0]), persistent=False)
        self.register_buffer("steps", torch.zeros(()), persistent=False)

    def forward(self, x):
        self.steps.add_(1)
        return x * self.table + self.steps


def inputs():
    return torch.randn(3, 4)
