"""
title: Python float as an input, marked Dim.DYNAMIC
description: >
  The specification asks for a symbol in the place of a float, where it has a meaning for ints.
  A tensor of no dimensions lets the number vary without any declaration.
tags: [torch.scalar-input, torch.dim-hint]
references: [pytorch#139486]
rewrites: [symbolic_scalars/float_input_as_tensor]
errors: [E0106]
allow:
  L060: the case is about this refusal
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x, scale: float):
        return x * scale


dynamic_shapes = {"x": None, "scale": Dim.DYNAMIC}


def inputs():
    return torch.randn(4), 2.5


def accepts():
    yield torch.randn(4), 3.5
    yield torch.randn(4), -1.25
