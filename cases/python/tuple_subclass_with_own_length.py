"""
title: Tuple subclass that defines __len__
description: >
  A subclass of tuple defines its own length, and so whether it is true. A tracer has to call the
  method of the class and not count the items.
advice: >
  Export with strict=False, which asks the class itself, or define __len__ in a class that is no
  tuple.
tags: [python.data-structure, python.control-flow]
references: [pytorch#189021]
allow:
  L063: it is always true; the case is about a tracer that says it is not
"""

import torch
from torch.export import Dim


class Always(tuple):
    def __len__(self):
        return 1


class Model(torch.nn.Module):
    def forward(self, x):
        return x + 1 if Always() else x - 1


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=5):
    return torch.randn(n)
