"""
title: forward replaced on the instance
description: >
  The constructor assigns another method to self.forward, as patches of third-party models do.
  Calling the module runs the new one; looking forward up on the class finds the old one.
tags: [torch.module, python.attribute]
"""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        torch.manual_seed(0)
        self.down = torch.nn.Linear(6, 2)
        self.up = torch.nn.Linear(2, 6)
        self.forward = self.encode

    def encode(self, x):
        return self.down(x).tanh()

    def forward(self, x):
        return self.up(self.encode(x))


def inputs():
    return torch.randn(5, 6)
