"""
title: Buffer of zeros in place of one that is None
description: >
  Nothing to add is the same as adding zeros, so the buffer has its shape from the start and every
  call does the same.
tags: [torch.buffer, torch.mutation]
"""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("last", torch.zeros(3, 4))

    def forward(self, x):
        result = x + self.last
        self.last.copy_(x * 2)
        return result + 1


def inputs():
    return torch.randn(3, 4)
