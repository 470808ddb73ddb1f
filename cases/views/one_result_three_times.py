"""
title: The same tensor returned three times
description: >
  All three are one object in eager: what a caller writes into one of them is in the others. A
  capture may return copies, which have the same values and share nothing.
tags: [torch.aliasing]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        y = x.sin() + 1
        return y, y, y


def inputs():
    return torch.randn(3, 4)
