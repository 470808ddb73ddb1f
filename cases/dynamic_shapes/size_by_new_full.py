"""
title: x.new_full with a dynamic size as its value
description: >
  A tensor of no dims in the dtype and on the device of an input, filled with a size that stays a
  symbol.
tags: [torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        return x.sum(0) / x.new_full((), x.shape[0])


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=5):
    return torch.randn(n, 3)
