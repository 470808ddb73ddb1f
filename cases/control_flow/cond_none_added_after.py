"""
title: None added to the result after torch.cond
description: >
  The branches return one tensor each; the None that callers expect is put beside it by Python.
tags: [torch.cond, python.none, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        def long(x):
            return x.sin()

        def short(x):
            return x.cos()

        return torch.cond(x.shape[0] > 4, long, short, (x,)), None


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=6):
    return torch.randn(n)
