"""
title: Two layers in turn by itertools.cycle
description: >
  cycle repeats the layers for as long as there are steps. It has no end of its own, so a tracer
  must stop it where zip does. The number of steps is a constant, and the loop is unrolled.
tags: [python.builtin, torch.module, torch.dynamic-shape]
"""

import itertools

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        torch.manual_seed(0)
        self.layers = torch.nn.ModuleList(torch.nn.Linear(4, 4) for _ in range(2))

    def forward(self, x):
        steps = zip(x.unbind(1), itertools.cycle(self.layers), strict=False)
        return sum(layer(step).tanh() for step, layer in steps)


dynamic_shapes = {"x": {0: Dim("batch", min=2, max=16)}}


def inputs(batch=6):
    return torch.randn(batch, 5, 4)
