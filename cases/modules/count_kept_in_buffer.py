"""
title: A count of calls kept in a buffer
description: >
  A buffer is part of the module's state: a capture takes it as an input and gives it back changed.
tags: [torch.buffer, torch.mutation]
"""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("calls", torch.zeros(4))

    def forward(self, x):
        return x + self.calls.add_(1)


def inputs():
    return torch.randn(3, 4)
