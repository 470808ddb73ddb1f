"""
title: Copy of a buffer returned
description: >
  clone gives the caller a tensor of its own, which later calls leave alone.
tags: [torch.buffer, torch.mutation]
"""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("total", torch.zeros(4))

    def forward(self, x):
        self.total.add_(x.sum(0))
        return self.total.clone()


def inputs():
    return torch.randn(3, 4)
