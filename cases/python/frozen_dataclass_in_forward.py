"""
title: Frozen dataclass made and replaced inside forward
description: >
  The state of a step is a frozen dataclass: __post_init__ fills a field in by object.__setattr__,
  and dataclasses.replace makes the next state. None of it is an operator; the tensors in the fields
  are.
tags: [python.dataclass, torch.dynamic-shape]
"""

from dataclasses import dataclass, field, replace

import torch
from torch.export import Dim


@dataclass(frozen=True)
class State:
    x: torch.Tensor
    steps: int = 1
    total: torch.Tensor = field(init=False)

    def __post_init__(self):
        object.__setattr__(self, "total", self.x.sum(-1) * self.steps)


class Model(torch.nn.Module):
    def forward(self, x):
        first = State(x)
        second = replace(first, x=first.x * 2, steps=3)
        return first.total + second.total


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=5):
    return torch.randn(n, 3)
