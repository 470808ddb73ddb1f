"""
title: scaled_dot_product_attention with bool, float and causal masks, scale and wide values
description: >
  In a bool mask True means attend, a float mask is added. A causal mask begins at the first key
  when there are more keys than queries, and scores are divided by the root of the head size
  unless a scale is given. Queries, keys and values differ in number and width.
tags: [torch.operator, torch.dynamic-shape]
requires: [attention]
"""

import torch
from torch.export import Dim
from torch.nn.functional import scaled_dot_product_attention as attend


class Model(torch.nn.Module):
    def forward(self, q, k, v):
        let = torch.ones(q.shape[-2], k.shape[-2], dtype=torch.bool).tril(1)
        added = torch.where(let, q[0, 0, :, :1] - k[0, 0, :, 0], -2.0)
        masked = attend(q, k, v, let), attend(q, k, v, added), attend(q, k, v, ~let.triu(1))
        causal = attend(q, k, v, is_causal=True), attend(k, k, v, is_causal=True, scale=0.25)
        groups = attend(q, k[:, :1], v[:, :1], scale=2.0, enable_gqa=True)
        return masked, causal, groups, attend(q[0], k[0], v[0], added)


dynamic_shapes = {"q": {2: Dim("n", min=2, max=16)}, "k": None, "v": None}


def inputs(n=5):
    return torch.randn(2, 4, n, 6), torch.randn(2, 4, 7, 6), torch.randn(2, 4, 7, 3)
