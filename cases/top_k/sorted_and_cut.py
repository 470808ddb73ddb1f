"""
title: Sort and cut off in place of topk
description: >
  All values are sorted and all after the fifth are cut off by a slice. A slice keeps what is there
  when there are fewer, and which of the two happens is a question about the size again.
tags: [torch.dynamic-shape, torch.view, torch.guard]
rewrites: [top_k/constant_k_range_from_k]
narrower: {top_k/constant_k_range_from_k: fewer than five values}
errors: [E0102]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        values, _ = torch.sort(x, descending=True)
        return values[:5]


dynamic_shapes = {"x": {0: Dim("n", min=2, max=32)}}


def inputs(n=9):
    return torch.randn(n)
