"""
title: is_causal with fewer queries than keys
description: >
  With is_causal the first query sees the first key, the second two, and so on: the mask starts at
  the upper left corner, also when there are more keys than queries. An exporter that aligns it
  with the last key computes another attention.
tags: [torch.attention, torch.dynamic-shape]
requires: [attention]
references: [pytorch#103082, pytorch#108108]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, query, key):
        attention = torch.nn.functional.scaled_dot_product_attention
        return attention(query, key, key, is_causal=True)


dynamic_shapes = {"query": {2: Dim("n", min=1, max=16)}, "key": {2: Dim("m", min=1, max=16)}}


def inputs(n=5, m=7):
    return torch.randn(1, 2, n, 4), torch.randn(1, 2, m, 4)
