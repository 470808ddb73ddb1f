"""
title: topk with k the smaller of a constant and a dynamic size
description: >
  The best five, or all if there are fewer. topk checks that k is at most the size; with min() in
  it, that this holds for every size has to be proved, and what cannot be proved becomes a guard.
  Where fewer than five never come, a range that says so needs no min().
tags: [torch.sym-scalar, torch.dynamic-shape, torch.guard]
rewrites: [top_k/constant_k_range_from_k]
narrower: {top_k/constant_k_range_from_k: fewer than five values}
pitfalls: [top_k/sorted_and_cut, top_k/sym_min_of_constant_and_size]
references: [pytorch#150851]
errors: [E0102]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        values, _ = torch.topk(x, min(5, x.shape[0]))
        return values


dynamic_shapes = {"x": {0: Dim("n", min=2, max=32)}}


def inputs(n=9):
    return torch.randn(n)
