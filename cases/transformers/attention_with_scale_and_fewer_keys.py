"""
title: Attention with a scale, grouped heads, a bias, and fewer queries than keys
description: >
  scale replaces the root of the head's size, heads of one group stand side by side, a causal mask
  begins at the first key whatever the lengths, and a mask that is a number is added.
tags: [torch.attention, torch.dynamic-shape]
allow:
  L055: the case is about the arguments of its operators, and samples have other sizes
"""

import torch
from torch.export import Dim
from torch.nn import functional as F


class Model(torch.nn.Module):
    def forward(self, query, key, value):
        bias = torch.linspace(-2, 2, 5)[None]
        attend = F.scaled_dot_product_attention
        scaled = attend(query[:, :2], key, value, scale=0.7)
        grouped = attend(query, key, value, enable_gqa=True, scale=0.2)
        causal = attend(query[:, :2], key, value, is_causal=True)
        both = attend(query, key, value, attn_mask=bias, enable_gqa=True)
        seen = attend(query[:, :2], key, value, attn_mask=bias > -1, scale=1.5)
        return scaled, grouped, causal, both, seen


n = Dim("n", min=2, max=16)
dynamic_shapes = {"query": {0: n}, "key": {0: n}, "value": {0: n}}


def inputs(n=3):
    return torch.randn(n, 4, 3, 8), torch.randn(n, 2, 5, 8), torch.randn(n, 2, 5, 8)
