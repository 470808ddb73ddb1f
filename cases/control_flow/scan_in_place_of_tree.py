"""
title: scan in place of associative_scan for a dynamic number of rows
description: >
  The state is the result so far. The step combines it with the next row by the same function, one
  row after another. torch has no public name for scan yet.
tags: [torch.scan, torch.dynamic-shape]
"""

import torch
from torch._higher_order_ops import scan
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, xs):
        def farther(a, b):
            a = torch.where(a.abs() >= b.abs(), a, b)
            return a, a.clone()

        return scan(farther, torch.zeros(3), xs)[1]


dynamic_shapes = {"xs": {0: Dim("n", min=2, max=16)}}


def inputs(n=5):
    return torch.randn(n, 3)
