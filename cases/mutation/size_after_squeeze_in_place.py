"""
title: The size of a tensor after squeeze_
description: >
  squeeze_ takes the dimensions of size 1 away from the tensor itself, so shape[0] is another size
  afterwards. A tracer that remembers the shape of a variable, and does not look again after a
  call in place, still says 1.
advice: >
  Write y = y.squeeze(), or export with strict=False: of a new tensor TorchDynamo asks for the
  shape.
tags: [torch.mutation, torch.dynamic-shape]
references: [pytorch#185888]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        y = torch.ones(1, 3)
        y.squeeze_()
        return x * y.shape[0]


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=5):
    return torch.randn(n)
