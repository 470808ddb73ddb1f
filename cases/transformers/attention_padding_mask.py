"""
title: scaled_dot_product_attention with a padding mask that is broadcast
description: >
  The bool mask says which keys are tokens. It has the shape (batch, 1, 1, keys) and is broadcast
  over heads and queries; batch and length are dynamic.
tags: [torch.attention, torch.dynamic-shape]
requires: [attention]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x, tokens):
        mask = tokens[:, None, None, :]
        return torch.nn.functional.scaled_dot_product_attention(x, x, x, attn_mask=mask)


batch, n = Dim("batch", min=1, max=8), Dim("n", min=1, max=16)
dynamic_shapes = {"x": {0: batch, 2: n}, "tokens": {0: batch, 1: n}}


def inputs(batch=3, n=5):
    tokens = torch.arange(n) <= torch.arange(batch)[:, None]
    return torch.randn(batch, 2, n, 4), tokens
