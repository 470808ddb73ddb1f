"""
title: dynamic_shapes that names every input
description: >
  Every input of forward is named; None says that no size of this one varies. Lists and dicts
  among the inputs are matched by lists and dicts of the same form.
tags: [torch.dynamic-shape, python.pytree]
references: [pytorch#148564]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x, scale):
        return x * scale


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}, "scale": None}


def inputs(n=5):
    return torch.randn(n, 3), torch.randn(3)
