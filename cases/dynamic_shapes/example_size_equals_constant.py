"""
title: Example batch equal to a constant of the program
description: >
  The example has as many rows as the layer has features, so a tracer that gives equal sizes one
  symbol ties the batch to a constant. Choose example sizes that nothing else has.
tags: [torch.dynamic-shape, torch.specialization]
allow:
  L055: the case is about this collision
  L056: the case is about this collision
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(6, 4)

    def forward(self, x):
        return self.linear(x)


dynamic_shapes = {"x": {0: Dim("batch", min=2, max=16)}}


def inputs(batch=6):
    return torch.randn(batch, 6)
