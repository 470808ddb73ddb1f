"""
title: Step count in a buffer, its parity chosen with torch.where
description: >
  The count is a tensor that add_ advances, so it goes on from call to call. What depended on the
  flag is chosen by torch.where from the parity of the count.
tags: [torch.buffer, torch.mutation]
"""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("step", torch.zeros((), dtype=torch.int64))

    def forward(self, x):
        y = torch.where(self.step % 2 == 0, x * 2 + self.step, x - self.step)
        self.step.add_(1)
        return y


def inputs():
    return torch.randn(3, 4)
