"""
title: map over the rows of two tensors at once
description: >
  The first argument of map is a pair; each call of the body gets a row of both. A capture that
  moves on in the first alone gives the right result for the first row.
tags: [torch.map, torch.dynamic-shape, python.data-structure]
"""

import torch
from torch._higher_order_ops import map
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, xs, weights):
        def body(row):
            x, weight = row
            return (x * weight).sum() + x, x.sum() + 1

        return map(body, (xs, weights))


n = Dim("n", min=1, max=16)
dynamic_shapes = {"xs": {0: n}, "weights": {0: n}}


def inputs(n=5):
    return torch.randn(n, 3), torch.rand(n, 3)
