"""
title: torch.func.jvp inside forward
description: >
  Forward-mode differentiation: the derivative along one direction is computed beside the value.
  Each tensor is paired with its tangent while the function runs; the pairs must not be left in
  the graph, nor the tangents lost.
tags: [torch.autograd, torch.functional-transform]
references: [pytorch#179686]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x, direction):
        def f(x):
            return x.sin() * x.sum()

        return torch.func.jvp(f, (x,), (direction,))


def inputs():
    return torch.randn(4), torch.randn(4)
