"""
title: associative_scan over the steps of a batch of dynamic size
description: >
  The scan halves the steps until one is left, and asks each time whether anything is in its pieces.
  Export without TorchDynamo answers that for the whole tensor, so the size of the batch becomes a
  constant; strict export asks about the steps alone.
tags: [torch.associative-scan, torch.dynamic-shape]
rewrites: [control_flow/farthest_so_far_of_dynamic_batch]
references: [pytorch#140043, pytorch#148657]
"""

import torch
from torch._higher_order_ops import associative_scan
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        def farther(a, b):
            return torch.where(a.abs() >= b.abs(), a, b)

        return associative_scan(farther, x, 1, combine_mode="generic")


dynamic_shapes = {"x": {0: Dim("batch", min=1, max=32)}}


def inputs(batch=3):
    return (torch.randn(batch, 4),)
