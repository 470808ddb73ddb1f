"""
title: Dynamic batch from 1 with an example of size 2
description: >
  The range includes a batch of one, but the example does not use it, so the size stays a symbol.
  Whether the graph serves a batch of one as well depends on what the program asks of the size.
tags: [torch.dynamic-shape, torch.zero-one]
references: [pytorch#133653]
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


def inputs(batch=2):
    return torch.randn(batch, 3)
