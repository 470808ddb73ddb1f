"""
title: One buffer for each entry of the state
description: >
  What stood in a tuple stands in buffers of the module, written with copy_. They are listed in its
  state_dict, and a capture keeps what is written to them.
tags: [torch.buffer, torch.mutation]
"""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("total", torch.zeros(4))
        self.register_buffer("peak", torch.full((4,), -100.0))

    def forward(self, x):
        self.total.copy_(self.total + x.sum(0))
        self.peak.copy_(torch.maximum(self.peak, x.amax(0) + self.total))
        return self.peak - x


def inputs():
    return torch.randn(3, 4)
