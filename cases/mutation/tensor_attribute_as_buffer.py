"""
title: Buffer for what the next call reads
description: >
  The place for the tensor is declared as a buffer of the right size, and forward copies into it.
  State that is declared is state that an exporter can keep.
tags: [torch.mutation, torch.buffer]
"""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("previous", torch.zeros(3, 4))

    def forward(self, x):
        y = x + self.previous + 1
        self.previous.copy_(x * 2)
        return y


def inputs():
    return (torch.randn(3, 4),)
