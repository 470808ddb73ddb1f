"""
title: Evenly spaced points from arange, their number read from a tensor
description: >
  arange makes as many integers as the tensor says, and a division by the last one spreads them
  from 0 to 1. The division takes the tensor itself, so only one symbol is made.
tags: [torch.item, torch.unbacked-symbol, torch.check]
requires: [values]
dims: {steps: {min: 2, max: 9}}
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x, steps):
        n = steps.item()
        torch._check(n >= 2)
        return x[:, None] * (torch.arange(n) / (steps - 1))


def inputs(steps=6):
    return torch.randn(3), torch.tensor(steps)


def rejects():
    yield torch.randn(3), torch.tensor(-1)
