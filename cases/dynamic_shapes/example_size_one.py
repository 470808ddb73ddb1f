"""
title: Dynamic batch with an example of size 1
description: >
  A size of 1 in the example is taken as a constant, because 1 means broadcasting and much else
  behaves differently there. That contradicts the Dim. Give an example with at least 2.
tags: [torch.dynamic-shape, torch.zero-one, torch.specialization]
references: [pytorch#133653, pytorch#151582, pytorch#176349]
rewrites: [dynamic_shapes/example_size_two]
pitfalls: [dynamic_shapes/example_size_one_auto]
errors: [E0101]
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


dynamic_shapes = {"x": {0: Dim("batch", min=1, max=16)}}


def inputs(batch=1):
    return torch.randn(batch, 3)
