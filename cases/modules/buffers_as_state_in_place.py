"""
title: Buffer in place of a tensor in a dict
description: >
  The running total is a buffer. It is changed in place as before, and now an exporter knows that
  it belongs to the module.
tags: [torch.buffer, torch.mutation]
"""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("total", torch.zeros(4))

    def forward(self, x):
        self.total.add_(x.sum(0))
        return self.total - x


def inputs():
    return torch.randn(3, 4)
