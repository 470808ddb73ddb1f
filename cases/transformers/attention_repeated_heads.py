"""
title: Heads of keys and values repeated for their group of queries
description: >
  Each head of keys is expanded to the three query heads of its group, then both dimensions become
  one. The expanded tensor has a stride of zero, so the reshape makes a copy.
tags: [torch.attention, torch.dynamic-shape, torch.view]
requires: [attention]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, query, key):
        batch, heads, n, width = key.shape
        key = key[:, :, None].expand(batch, heads, 3, n, width).reshape(batch, -1, n, width)
        attention = torch.nn.functional.scaled_dot_product_attention
        return attention(query, key, key, is_causal=True)


n = Dim("n", min=1, max=16)
dynamic_shapes = {"query": {2: n}, "key": {2: n}}


def inputs(n=5):
    return torch.randn(1, 6, n, 4), torch.randn(1, 2, n, 4)
