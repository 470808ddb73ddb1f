"""
title: Python int as an input, with a named Dim
description: >
  A named Dim stands for a size of a tensor; given to an int it is an error of the specification.
  Dim.DYNAMIC and Dim.AUTO are what an int may have.
tags: [torch.scalar-input, torch.dynamic-shape]
references: [pytorch#106031]
rewrites: [dynamic_shapes/int_input_dynamic]
errors: [E0107]
allow:
  L060: the case is about this refusal
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x, factor: int):
        return x * factor


dynamic_shapes = {"x": None, "factor": Dim("factor", min=2, max=100)}


def inputs(factor=3):
    return torch.randn(4), factor
