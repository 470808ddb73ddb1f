"""
title: map whose body captures a Python int
description: >
  The int stands in the enclosing function, so it is a constant of the body and no argument of the
  operator. torch has no public name for map yet.
tags: [torch.map, python.closure, torch.dynamic-shape]
"""

import torch
from torch._higher_order_ops import map
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, xs):
        places = 2

        def body(x):
            return x.roll(places) - x

        return map(body, xs)


dynamic_shapes = {"xs": {0: Dim("n", min=2, max=16)}}


def inputs(n=5):
    return torch.randn(n, 3)
