"""
title: associative_scan over a dynamic number of rows
description: >
  In generic mode the tree of combinations is written out while tracing, and its depth and its
  odd ends depend on the number of rows: each length is another graph. A scan goes row by row and
  has one body for all lengths.
tags: [torch.associative-scan, torch.dynamic-shape, torch.specialization]
references: [pytorch#186594]
rewrites: [control_flow/scan_in_place_of_tree]
errors: [E0101]
"""

import torch
from torch._higher_order_ops import associative_scan
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, xs):
        def farther(a, b):
            return torch.where(a.abs() >= b.abs(), a, b)

        return associative_scan(farther, xs, dim=0, combine_mode="generic")


dynamic_shapes = {"xs": {0: Dim("n", min=2, max=16)}}


def inputs(n=5):
    return torch.randn(n, 3)
