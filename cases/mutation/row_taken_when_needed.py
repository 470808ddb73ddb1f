"""
title: Row of a buffer taken where it is written
description: >
  There is one buffer, and the row is a view made in forward. What is one piece of memory has one
  name in the module.
tags: [torch.buffer, torch.view, torch.mutation]
"""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("table", torch.zeros(3, 4))

    def forward(self, x):
        self.table[0].add_(x.sum(0))
        return self.table + 1


def inputs():
    return torch.randn(5, 4)
