"""
title: Output that is a buffer itself
description: >
  forward returns the running total, the buffer and not a copy. The caller's result of the first
  call changes with the second call, because it is the module's own memory.
tags: [torch.buffer, torch.aliasing, torch.mutation]
rewrites: [mutation/output_is_copy_of_buffer]
"""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("total", torch.zeros(4))

    def forward(self, x):
        self.total.add_(x.sum(0))
        return self.total


def inputs():
    return torch.randn(3, 4)
