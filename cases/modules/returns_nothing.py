"""
title: forward that returns nothing
description: >
  The only effect of the call is what it leaves in a buffer. A capture without outputs must still
  do the work.
tags: [torch.buffer, torch.mutation, python.none]
"""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("total", torch.zeros(4))

    def forward(self, x):
        self.total.add_(x.sum(0))


def inputs():
    return torch.randn(3, 4)
