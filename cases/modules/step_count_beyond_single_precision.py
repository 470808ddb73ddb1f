"""
title: Step count in a buffer beyond 2**24, and one beyond 2**31
description: >
  A model that has been trained for long counts further than single precision has whole numbers
  (16,777,216), and one that counts examples further than 32 bits. The next step is still one more.
tags: [torch.buffer, torch.mutation, torch.dtype]
"""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("steps", torch.tensor(2**24))
        self.register_buffer("examples", torch.tensor([2**31 - 2, 2**40]))

    def forward(self, x):
        self.steps.add_(1)
        self.examples.add_(x.shape[0])
        return x + (self.steps % 5), self.steps.clone(), self.examples // 7


def inputs():
    return torch.randn(3, 4)
