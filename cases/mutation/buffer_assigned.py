"""
title: Buffer replaced by assignment
description: >
  self.average = ... puts a new tensor in the buffer's place instead of writing into the old one.
  Afterwards the module holds another tensor; an exporter has to read it as a write to the buffer.
tags: [torch.mutation, torch.buffer, python.attribute]
rewrites: [mutation/buffer_in_place]
pitfalls: [mutation/write_through_data]
"""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("average", torch.zeros(4))

    def forward(self, x):
        self.average = 0.9 * self.average + 0.1 * x.mean(0)
        return x - self.average


def inputs():
    return (torch.randn(3, 4),)
