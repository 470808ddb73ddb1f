"""
title: scan over possibly no rows
description: >
  An empty sequence makes no step: the state is what it began with, and the outputs have no rows.
  Since torch 2.14 eager allows that; before, scan raised. The rewrite puts a row of zeros in front,
  which leaves the state as it is, and drops its output.
tags: [torch.scan, torch.dynamic-shape, torch.zero-one]
requires: [torch>=2.14]
allow:
  L051: before torch 2.14 scan raises on no rows, in eager too
references: [pytorch#188348]
rewrites: [control_flow/scan_with_a_row_in_front]
"""

import torch
from torch._higher_order_ops import scan
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, xs):
        def step(total, x):
            total = total / 2 + x
            return total, total * x

        return scan(step, torch.zeros(3), xs)


dynamic_shapes = {"xs": {0: Dim("n", min=0, max=16)}}


def inputs(n=5):
    return torch.randn(n, 3)
