"""
title: scan over possibly no rows, a row of zeros put in front
description: >
  The sequence may be empty, which scan refuses in most versions of torch. A row of zeros in front
  makes one step that leaves the state as it is, and its output is dropped. torch has no public name
  for scan yet.
tags: [torch.scan, torch.dynamic-shape, torch.zero-one]
"""

import torch
from torch._higher_order_ops import scan
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, xs):
        def step(total, x):
            total = total / 2 + x
            return total, total * x

        last, products = scan(step, torch.zeros(3), torch.cat([xs.new_zeros(1, 3), xs]))
        return last, products[1:]


dynamic_shapes = {"xs": {0: Dim("n", min=0, max=16)}}


def inputs(n=5):
    return torch.randn(n, 3)
