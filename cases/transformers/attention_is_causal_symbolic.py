"""
title: is_causal given as a comparison of a size
description: >
  The comparison of a dynamic size with 1 is a symbolic bool, and is_causal takes a plain one.
  bool() makes it plain by deciding it once and for all; the rewrite makes a mask that contains
  the decision.
tags: [torch.attention, torch.specialization, torch.zero-one]
requires: [attention]
rewrites: [transformers/attention_mask_by_length]
pitfalls: [transformers/attention_is_causal_by_length]
references: [pytorch#115262, huggingface/transformers#35791]
errors: [E0130]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, query, key):
        attention = torch.nn.functional.scaled_dot_product_attention
        return attention(query, key, key, is_causal=query.shape[2] > 1)


dynamic_shapes = {"query": {2: Dim("n", min=1, max=16)}, "key": {2: Dim("m", min=1, max=16)}}


def inputs(n=5, m=7):
    return torch.randn(1, 2, n, 4), torch.randn(1, 2, m, 4)
