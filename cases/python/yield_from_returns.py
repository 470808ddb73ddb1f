"""
title: Value of a yield from expression
description: >
  A generator that delegates with yield from gets the value that the inner one returns. A tracer
  that follows the inner generator has to keep that value.
advice: >
  Return the value and the items together from a plain function, or export with strict=False, which
  leaves the generators to Python.
tags: [python.control-flow]
references: [pytorch#149037]
allow:
  L063: the value is always there; the case is about a tracer that loses it
"""

import torch
from torch.export import Dim


def inner():
    yield 1
    return 5


def outer():
    returned = yield from inner()
    yield 2 if returned is None else returned


class Model(torch.nn.Module):
    def forward(self, x):
        return x + list(outer())[-1]


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=6):
    return torch.randn(n)
