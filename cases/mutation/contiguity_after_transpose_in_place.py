"""
title: Whether a tensor is contiguous after t_
description: >
  t_ transposes the tensor itself, which is no longer contiguous then. A tracer that remembers the
  strides of a variable, and does not look again after a call in place, takes the other branch.
advice: >
  Write y = y.t(), or export with strict=False: of a new tensor TorchDynamo asks for the strides.
tags: [torch.mutation, torch.view, python.control-flow]
references: [pytorch#185888]
allow:
  L063: the answer is always no; the case is about a tracer that says yes
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        y = torch.ones(2, 3)
        y.t_()
        return x + 1 if y.is_contiguous() else x * 10


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=5):
    return torch.randn(n)
