"""
title: map with a Python int as further argument
description: >
  The further arguments of map reach every call unchanged, here the number of places to roll by.
  As an argument of the operator an int is no tensor that a graph could pass on. The body can
  capture it instead.
tags: [torch.map, torch.scalar-input, torch.dynamic-shape]
rewrites: [control_flow/map_with_int_captured]
errors: [E0428]
"""

import torch
from torch._higher_order_ops import map
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, xs):
        def body(x, places):
            return x.roll(places) - x

        return map(body, xs, 2)


dynamic_shapes = {"xs": {0: Dim("n", min=2, max=16)}}


def inputs(n=5):
    return torch.randn(n, 3)
