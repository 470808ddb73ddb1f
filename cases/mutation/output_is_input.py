"""
title: Output that is an input
description: >
  One of the results is an input, passed through unchanged. Eager returns the same memory, so a
  later write to the result shows in the input.
tags: [torch.aliasing]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x, y):
        return x, x + y


def inputs():
    return torch.randn(3, 4), torch.randn(3, 4)
