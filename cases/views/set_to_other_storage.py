"""
title: set_ that gives a tensor the memory of another
description: >
  After y.set_(z) the two tensors are views of the same memory, and a write to z shows in y. Its old
  memory is gone.
tags: [torch.mutation, torch.aliasing, torch.view]
rewrites: [views/name_bound_to_other]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        y, z = x + 1, x * 3
        y.set_(z)
        z.add_(10)
        return y


def inputs():
    return torch.randn(3, 4)
