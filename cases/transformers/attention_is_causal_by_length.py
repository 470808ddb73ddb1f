"""
title: is_causal decided by whether there is more than one query
description: >
  With one new token all keys are visible; with several the mask is causal. bool() decides the
  comparison while tracing, and a capture from several queries stays causal for one: that query
  then sees the first key alone. The rewrite makes a mask.
tags: [torch.attention, torch.specialization, torch.zero-one]
requires: [attention]
rewrites: [transformers/attention_mask_by_length]
pitfalls: [transformers/attention_is_causal_symbolic]
references: [pytorch#115262, huggingface/transformers#35791]
errors: [E0130]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, query, key):
        attention = torch.nn.functional.scaled_dot_product_attention
        return attention(query, key, key, is_causal=bool(query.shape[2] > 1))


dynamic_shapes = {"query": {2: Dim("n", min=1, max=16)}, "key": {2: Dim("m", min=1, max=16)}}


def inputs(n=5, m=7):
    return torch.randn(1, 2, n, 4), torch.randn(1, 2, m, 4)
