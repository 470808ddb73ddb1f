"""
title: Attention layer of a decoder with a cache that grows
description: >
  The whole layer: projections, heads, the cache put before the new keys and values, a causal mask
  over both, and the output projection. The number of new tokens and the length of the cache are
  dynamic; the longer cache is returned.
tags: [torch.attention, torch.dynamic-shape, torch.derived-dim]
requires: [attention]
references: [pytorch#136582]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.project = torch.nn.Linear(6, 18)
        self.out = torch.nn.Linear(6, 6)

    def forward(self, x, past_keys, past_values):
        batch, n, width = x.shape
        heads = self.project(x).view(batch, n, 3, 2, 3).permute(2, 0, 3, 1, 4)
        query, key, value = heads.unbind(0)
        keys = torch.cat([past_keys, key], dim=2)
        values = torch.cat([past_values, value], dim=2)
        past = past_keys.shape[2]
        mask = torch.arange(past + n) <= torch.arange(past, past + n)[:, None]
        attention = torch.nn.functional.scaled_dot_product_attention
        y = attention(query, keys, values, attn_mask=mask)
        return self.out(y.transpose(1, 2).reshape(batch, n, width)), keys, values


n, past = Dim("n", min=1, max=8), Dim("past", min=0, max=16)
dynamic_shapes = {"x": {1: n}, "past_keys": {2: past}, "past_values": {2: past}}


def inputs(n=5, past=7):
    return torch.randn(1, n, 6), torch.randn(1, 2, past, 3), torch.randn(1, 2, past, 3)
