"""
title: scaled_dot_product_attention with a mask that is added to the scores
description: >
  A float mask is no choice of keys but a bias: it is added to the scores before the softmax, and
  minus infinity takes a key out. A mask of another type would mean something else.
tags: [torch.attention, torch.dynamic-shape]
requires: [attention]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, query, key, bias):
        attention = torch.nn.functional.scaled_dot_product_attention
        return attention(query, key, key, attn_mask=bias)


n, m = Dim("n", min=1, max=16), Dim("m", min=1, max=16)
dynamic_shapes = {"query": {2: n}, "key": {2: m}, "bias": {0: n, 1: m}}


def inputs(n=5, m=7):
    bias = torch.randn(n, m).masked_fill(torch.arange(m) > 3, -torch.inf)
    return torch.randn(1, 2, n, 4), torch.randn(1, 2, m, 4), bias
