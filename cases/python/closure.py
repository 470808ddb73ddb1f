"""
title: Nested functions and closures
description: >
  forward defines functions that use and rebind its variables (nonlocal). All of it runs while
  tracing; the graph holds only the operators.
tags: [python.closure]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x, y):
        total = x + y

        def add(z):
            nonlocal total
            total = total + z

        for factor in (1, 2, 3):
            (lambda f: add(x * f))(factor)
        return total


def inputs():
    return torch.randn(3, 4), torch.randn(3, 4)
