"""
title: bool as an input, marked Dim.DYNAMIC
description: >
  True and False are ints in Python, but a flag that is branched on cannot be a symbol like a
  size. A hint for it is refused, or gives one branch. Pass the flag as a tensor and choose with
  torch.where or torch.cond.
tags: [torch.scalar-input, torch.dim-hint, python.control-flow]
references: [pytorch#106031]
rewrites: [dynamic_shapes/bool_input_as_tensor]
pitfalls: [control_flow/cond_on_bool_input]
errors: [E0129]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x, doubled: bool):
        return x * 2 if doubled else x + 1


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}, "doubled": Dim.DYNAMIC}


def inputs(n=5):
    return torch.randn(n), True


def accepts():
    yield torch.randn(5), False
