"""
title: Batch of size zero
description: >
  The range begins at 0. Nothing in the program asks whether the batch is empty, so the graph that
  was traced with a batch of 5 serves an empty one too.
tags: [torch.dynamic-shape, torch.zero-one]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(3, 4)

    def forward(self, x):
        return self.linear(x).sum(0)


dynamic_shapes = {"x": {0: Dim("batch", min=0, max=16)}}


def inputs(batch=5):
    return torch.randn(batch, 3)
