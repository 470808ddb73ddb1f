"""
title: Two buffers that are views of one tensor
description: >
  One buffer is the whole table and the other its first row. A write through the row shows in the
  table, so a capture that keeps two separate copies goes wrong at once.
tags: [torch.buffer, torch.aliasing, torch.view, torch.mutation]
rewrites: [mutation/row_taken_when_needed]
"""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("table", torch.zeros(3, 4))
        self.register_buffer("first", self.table[0])

    def forward(self, x):
        self.first.add_(x.sum(0))
        return self.table + 1


def inputs():
    return torch.randn(5, 4)
