"""
title: Output that does not depend on any input
description: >
  One output is made of a buffer and a factory function alone. Nothing forces it to be computed
  again at each call, but the buffer changes, and then so must the output.
tags: [torch.buffer, torch.mutation]
"""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("count", torch.zeros(2))

    def forward(self, x):
        self.count.add_(1)
        return x.relu(), torch.arange(2.0) + self.count * 10


def inputs():
    return torch.randn(3, 4)
