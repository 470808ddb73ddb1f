"""
title: Block in which autocast is turned off
description: >
  The caller may have autocast on; what is in the block is computed in full precision all the same,
  as for a loss or a norm that half precision is too coarse for.
tags: [python.context-manager, torch.dtype]
"""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(4, 3)

    def forward(self, x, target):
        guess = self.layer(x)
        with torch.autocast("cpu", enabled=False):
            exact = guess.float() @ target.float().T
        return guess, exact


def inputs():
    return torch.randn(5, 4), torch.randn(2, 3)
