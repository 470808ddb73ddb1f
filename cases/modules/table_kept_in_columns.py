"""
title: Buffer that is stored column by column
description: >
  The table is kept transposed in memory. What is computed from it has the same strides, and the view
  of all its elements in that order is possible only with them: a copy of the buffer that is
  contiguous raises, or gives a result with other strides.
tags: [torch.stride, torch.buffer]
"""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("table", torch.linspace(-1, 1, 12).reshape(4, 3).t())

    def forward(self, scale):
        scaled = self.table * scale
        return scaled, scaled.t().view(-1), self.table.stride(0) * scale


def inputs():
    return torch.tensor(1.5)
