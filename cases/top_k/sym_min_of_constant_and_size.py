"""
title: topk with torch.sym_min of a constant and a dynamic size
description: >
  torch.sym_min builds the expression of the smaller number without asking which it is. topk then
  compares the expression with the size, a question of the operator and not of the program.
tags: [torch.sym-scalar, torch.dynamic-shape, torch.guard]
rewrites: [top_k/constant_k_range_from_k]
narrower: {top_k/constant_k_range_from_k: fewer than five values}
pitfalls: [top_k/sorted_and_cut]
references: [pytorch#150851]
errors: [E0102]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        values, _ = torch.topk(x, torch.sym_min(5, x.shape[0]))
        return values


dynamic_shapes = {"x": {0: Dim("n", min=2, max=32)}}


def inputs(n=9):
    return torch.randn(n)
