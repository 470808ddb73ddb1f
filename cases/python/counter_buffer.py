"""
title: Call counter in a buffer
description: >
  The count is a tensor of the module, changed in place. A capture keeps the addition and the
  state, so the next call goes on from there.
tags: [torch.buffer, torch.mutation]
"""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("calls", torch.tensor(0))

    def forward(self, x):
        self.calls.add_(1)
        return x * self.calls


def inputs():
    return (torch.randn(3, 4),)
