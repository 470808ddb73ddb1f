"""
title: Causal mask with an exception for a single query, as a tensor
description: >
  The mask is made from positions, and whether there is one query only is computed as a tensor too.
  The decision is in the graph as data, so it is made anew for every length.
tags: [torch.attention, torch.dynamic-shape]
requires: [attention]
references: [pytorch#115262]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, query, key):
        queries = torch.arange(query.shape[2])[:, None]
        keys = torch.arange(key.shape[2])
        mask = (keys <= queries) | (queries.amax() == 0)
        attention = torch.nn.functional.scaled_dot_product_attention
        return attention(query, key, key, attn_mask=mask)


dynamic_shapes = {"query": {2: Dim("n", min=1, max=16)}, "key": {2: Dim("m", min=1, max=16)}}


def inputs(n=5, m=7):
    return torch.randn(1, 2, n, 4), torch.randn(1, 2, m, 4)
