"""
title: del of a variable, an element of a list, a slice and a key
description: >
  Intermediate results are deleted to free their memory. A variable that is gone must not be looked
  for, and after del of an element the later ones have other indices.
tags: [python.data-structure, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        doubled = x * 2
        levels = [x, x.sin(), x.cos(), doubled, doubled.exp(), doubled.abs()]
        del doubled, levels[1], levels[-2:]
        table = {"first": levels[0], "second": levels[1], "third": levels[2]}
        total = table["first"] + levels[-1]
        del levels, table["first"]
        return total, table


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=5):
    return torch.randn(n, 4)
