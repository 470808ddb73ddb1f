"""
title: Result of `in (...)` multiplied with a mask
description: >
  `in` asked of a tuple gives a bool everywhere, and the product with a mask stays a mask.
tags: [python.control-flow, torch.dtype]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        return (x > 0) * (4 in (0, 2, 4, 6, 8))


def inputs():
    return torch.randn(3, 4)
