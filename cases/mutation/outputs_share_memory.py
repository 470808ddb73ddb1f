"""
title: Two outputs that share memory
description: >
  The second result is a view of the first. Both are fresh, but a write to one shows in the other.
tags: [torch.aliasing, torch.view]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        y = x + 1
        return y, y[0]


def inputs():
    return (torch.randn(3, 4),)
