"""
title: dynamic_shapes as a tuple in the order of the inputs
description: >
  As a tuple, dynamic_shapes goes by position: one entry for each argument, whatever its name in
  forward. Inside, one tensor has a tuple with an entry for each of its dimensions.
tags: [torch.dynamic-shape, python.pytree]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x, scale):
        return x * scale / x.shape[0]


n = Dim("n", min=2, max=16)
dynamic_shapes = ((n, Dim.STATIC), {})


def inputs(n=5):
    return torch.randn(n, 3), torch.randn(3)
