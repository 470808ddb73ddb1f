"""
title: A running result over the steps of a batch of dynamic size
description: >
  The number of steps is a constant, so the loop is unrolled, for a batch of any size: what lies
  farthest from nought so far.
tags: [python.control-flow, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        first, *later = x.unbind(1)
        found = [first]
        for step in later:
            found.append(torch.where(found[-1].abs() >= step.abs(), found[-1], step))
        return torch.stack(found, 1)


dynamic_shapes = {"x": {0: Dim("batch", min=1, max=32)}}


def inputs(batch=3):
    return (torch.randn(batch, 4),)
