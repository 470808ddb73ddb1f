"""
title: Dtype given to the factory that needs it
description: >
  The tensor that has to hold doubles is made with dtype=, so it does not matter what the default
  is, neither while tracing nor later.
tags: [torch.dtype, torch.determinism]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        steps = torch.arange(0.0, 4.0, dtype=torch.float64) / 3
        return x + steps, torch.ones(2)


def inputs():
    return torch.randn(3, 4)
