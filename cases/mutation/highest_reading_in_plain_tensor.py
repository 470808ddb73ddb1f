"""
title: Observer whose highest reading is a plain tensor on self, written in place
description: >
  An observer for quantisation keeps the highest reading of every channel in a tensor that is
  neither buffer nor parameter, and writes into it. To a capture the tensor is a constant, and one
  that has to change at every call. The rewrite registers it as a buffer.
tags: [torch.mutation, python.attribute]
rewrites: [mutation/highest_reading_in_buffer]
"""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.highest = torch.tensor([0.1, 0.5, 1.0, 1.5])

    def forward(self, x):
        self.highest.copy_(torch.maximum(self.highest, x.amax(0)))
        return x / self.highest


def inputs():
    return torch.randn(3, 4) * 2
