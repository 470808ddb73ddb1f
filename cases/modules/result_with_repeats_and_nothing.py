"""
title: A result with repeats, None, numbers and tables in it
description: >
  What forward returns is more than a tuple of tensors: the same tensor twice, None between others,
  a tuple of one, a dict with whole numbers for keys and one whose keys are in no order, numbers
  that no input decides.
tags: [python.none, python.data-structure, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        y, z = x + 1, x * 2
        by_layer = {3: (y,), 1: [z, None]}
        named = {"z": z.sum(), "a": torch.ones(3), "m": None}
        return (z, None, y), by_layer, named, [y, y], (True, 7, 0.1, "mean"), (x.shape[0], z)


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=5):
    return (torch.randn(n, 3),)
