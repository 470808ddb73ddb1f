"""
title: Dim.AUTO with an example of size 1
description: >
  A size of 1 in the example is taken as a constant. Dim.AUTO allows constants, so nothing is said
  while capturing, and the fixed batch shows only when another one comes. Give an example with at
  least 2.
tags: [torch.dim-hint, torch.zero-one, torch.specialization]
references: [pytorch#151582]
dims: {batch: {min: 1, max: 16}}
rewrites: [dynamic_shapes/example_size_two]
errors: [E0104, E0813]
allow:
  L055: the case is about an example of size 1
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(3, 4)

    def forward(self, x):
        return self.linear(x).relu()


dynamic_shapes = {"x": {0: Dim.AUTO}}


def inputs(batch=1):
    return torch.randn(batch, 3)
