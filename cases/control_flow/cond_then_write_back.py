"""
title: Write back the result of torch.cond instead of mutating in a branch
description: >
  Both branches return the new value of the operand as a fresh tensor; copy_ after the cond puts
  it into the input. Neither branch changes anything, and the input changes exactly as it did when
  one branch wrote in place.
tags: [torch.cond, torch.mutation, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        def grow(x):
            return x + 1

        def keep(x):
            return x.clone()

        x.copy_(torch.cond(x.shape[0] > 4, grow, keep, (x,)))
        return x.sum()


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=5):
    return torch.randn(n)
