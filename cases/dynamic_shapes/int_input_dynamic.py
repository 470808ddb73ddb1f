"""
title: Python int as an input, marked Dim.DYNAMIC
description: >
  Dim.DYNAMIC in the place of the int asks for a symbol instead of a constant. Such a symbol is
  treated like a size, though an int may be anything: 0, 1 and negative numbers are worth a look.
tags: [torch.scalar-input, torch.dim-hint, torch.zero-one]
references: [pytorch#106031]
dims: {factor: {min: 0, max: 100}}
rewrites: [dynamic_shapes/int_input_as_tensor]
errors: [E0510]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x, factor: int):
        return x * factor


dynamic_shapes = {"x": None, "factor": Dim.DYNAMIC}


def inputs(factor=3):
    return torch.randn(4), factor


def accepts():
    yield torch.randn(4), -2
