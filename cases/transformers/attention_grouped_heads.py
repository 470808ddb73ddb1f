"""
title: Attention with fewer heads for keys than for queries, enable_gqa
description: >
  Three query heads share one head of keys and values. With enable_gqa the operator repeats them
  itself. The rewrite repeats them by hand, for exporters that do not know the argument.
tags: [torch.attention, torch.dynamic-shape]
requires: [attention]
rewrites: [transformers/attention_repeated_heads]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, query, key):
        attention = torch.nn.functional.scaled_dot_product_attention
        return attention(query, key, key, is_causal=True, enable_gqa=True)


n = Dim("n", min=1, max=16)
dynamic_shapes = {"query": {2: n}, "key": {2: n}}


def inputs(n=5):
    return torch.randn(1, 6, n, 4), torch.randn(1, 2, n, 4)
