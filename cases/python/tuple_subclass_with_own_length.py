"""
title: A tuple whose class defines __len__
description: >
  A subclass of tuple says itself how long it is, and so whether it is true. The tracer has to ask
  the class and not the items.
tags: [python.data-structure, python.control-flow]
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
