"""
title: torch.full with True and dtype=torch.bool
description: >
  The dtype is given, so nothing is inferred from the value.
tags: [torch.dtype]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        return torch.full(x.shape, True, dtype=torch.bool)


def inputs():
    return torch.randn(5, 3)
