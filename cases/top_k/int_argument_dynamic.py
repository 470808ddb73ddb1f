"""
title: topk with k as a Python int input marked dynamic
description: >
  Dim.DYNAMIC on an int input asks for a symbol instead of a constant. The case declares every k
  from 0 to the length of x; tracing treats 0 and 1 apart from other sizes, so the two ends of the
  declared range are worth looking at. Where ints must stay constants, give k as the size of a
  tensor (top_k/proxy_tensor_size) or as the value of one (top_k/item_of_input).
tags: [torch.scalar-input, torch.dim-hint, torch.zero-one]
rewrites: [top_k/proxy_tensor_size]
pitfalls: [dynamic_shapes/int_input_named_dim]
references: [pytorch#146990]
dims: {k: {min: 0, max: 100}}
errors: [E0103]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x, k: int):
        values, _ = torch.topk(x, k)
        return values


dynamic_shapes = {"x": None, "k": Dim.DYNAMIC}


def inputs(k=5):
    return torch.randn(100), k
