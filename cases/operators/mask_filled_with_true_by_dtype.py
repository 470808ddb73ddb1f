"""
title: A new mask that is full of True, with its dtype
description: >
  The dtype is named, so nothing is made of the value.
tags: [torch.dtype]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        return torch.full(x.shape, True, dtype=torch.bool)


def inputs():
    return torch.randn(5, 3)
