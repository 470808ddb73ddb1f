"""
title: Buffer that has its final dtype from the start
description: >
  The buffer is made as float32 and changed in place, which can never change its dtype.
tags: [torch.buffer, torch.dtype, torch.mutation]
"""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("total", torch.zeros(4))

    def forward(self, x):
        self.total.add_(x.sum(0))
        return x - self.total


def inputs():
    return torch.randn(3, 4)
