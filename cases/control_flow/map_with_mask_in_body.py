"""
title: map whose body filters each row by a mask
description: >
  Each row keeps another number of elements. The size lives inside of one call, where the sum ends
  it, so all results have one shape and can be stacked.
tags: [torch.map, torch.data-dependent-shape, torch.dynamic-shape]
requires: [values, torch>=2.13]
"""

import torch
from torch._higher_order_ops import map
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, xs):
        def body(x):
            kept = x[x > 0]
            return kept.sum() / (kept.shape[0] + 1)

        return map(body, xs)


dynamic_shapes = {"xs": {0: Dim("n", min=2, max=16)}}


def inputs(n=5):
    return torch.randn(n, 4)


def accepts():
    yield -torch.rand(3, 4)
    yield torch.rand(3, 4)
