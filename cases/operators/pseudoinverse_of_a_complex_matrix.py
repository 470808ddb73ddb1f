"""
title: The first call after compiling gets a wrong pseudoinverse
description: >
  linalg.pinv conjugates factors inside of its kernel, and leaves that to a view. While anything
  watches the operators that run, as AOTAutograd does in the first call of a graph, the view is
  read as it lies in memory. Later calls are right, so that a warm-up hides it.
tags: [torch.operator]
references: [pytorch#198118]
rewrites: [operators/pseudoinverse_from_factors]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, a, b):
        return torch.linalg.pinv(a) @ b


def inputs():
    return torch.randn(5, 3, dtype=torch.complex64), torch.randn(5, 2, dtype=torch.complex64)
