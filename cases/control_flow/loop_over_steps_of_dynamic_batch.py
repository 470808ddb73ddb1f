"""
title: A loop over the steps of a batch of dynamic size
description: >
  The number of steps is a constant, so the loop is unrolled: a linear recurrence, one step after
  another, for a batch of any size.
tags: [python.control-flow, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, decay, x):
        value = torch.zeros_like(x[:, 0])
        steps = []
        for kept, added in zip(decay.unbind(1), x.unbind(1), strict=True):
            value = kept * value + added
            steps.append(value)
        return torch.stack(steps, 1)


batch = Dim("batch", min=1, max=32)
dynamic_shapes = {"decay": {0: batch}, "x": {0: batch}}


def inputs(batch=3):
    return torch.rand(batch, 5), torch.randn(batch, 5)
