"""
title: torch.cond branches that make new tensors
description: >
  Each branch makes a constant as long as the input, one of them with torch.tensor of a literal in
  it. Nothing comes from the operand but its size; the constants belong to the branches and not to
  the graph around them.
tags: [torch.cond, torch.dynamic-shape]
requires: [values]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        def pattern(x):
            return torch.tensor([1.0, 2.0, 4.0]) * torch.ones(x.shape[0], 1)

        def ramp(x):
            return torch.arange(x.shape[0])[:, None] * torch.ones(3)

        return torch.cond(x.sum() > 0, pattern, ramp, (x,)) + 1


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=6):
    return torch.rand(n)


def accepts():
    yield -torch.rand(6)
    yield -torch.rand(9)
