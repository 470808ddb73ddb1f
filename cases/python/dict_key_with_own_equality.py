"""
title: Dict lookup of a key whose class defines __eq__
description: >
  Two keys that are equal, as their class says, find the same entry of a dict. A tracer that
  compares such keys by identity finds nothing for the second one, and get silently gives the
  default.
advice: >
  Take a string or a tuple as the key, or export with strict=False, which leaves the lookup to
  Python.
tags: [python.data-structure]
references: [pytorch#186669]
"""

import torch
from torch.export import Dim


class Key:
    def __init__(self, name):
        self.name = name

    def __eq__(self, other):
        return self.name == other.name

    def __hash__(self):
        return hash(self.name)


class Model(torch.nn.Module):
    def forward(self, x):
        scales = {Key("a"): 5.0}
        return x * scales.get(Key("a"), 0.0)


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=5):
    return torch.randn(n)
