"""
title: Buffer assigned a tensor of another dtype
description: >
  The first call finds an int64 buffer and leaves a float32 one, so the second call computes with
  another dtype than the first. A capture made of the first call knows only int64.
tags: [torch.buffer, torch.dtype, torch.mutation]
rewrites: [modules/buffer_of_final_dtype]
"""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("total", torch.zeros(4, dtype=torch.int64))

    def forward(self, x):
        self.total = self.total + x.sum(0)
        return x - self.total


def inputs():
    return torch.randn(3, 4)
