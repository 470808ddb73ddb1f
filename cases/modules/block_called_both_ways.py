"""
title: One submodule called twice along different Python branches
description: >
  The same block is called with a flag and without it, and takes another branch inside each time.
  Both calls use the same weight, but the two graphs differ, so one must not stand for the other.
tags: [torch.module, torch.parameter, python.control-flow]
"""

import torch


class Block(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(4, 4)

    def forward(self, x, gated=False):
        if gated:
            return self.linear(x).sigmoid() * x
        return self.linear(x) + 1


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        torch.manual_seed(0)
        self.block = Block()

    def forward(self, x):
        return self.block(self.block(x, gated=True)) - self.block(x)


def inputs():
    return torch.randn(5, 4)
