"""
title: scaled_dot_product_attention
description: >
  One operator with several implementations, chosen by device, dtype and shape. A capture may keep
  it or spell it out; the length of the sequence is dynamic, and short sequences must work.
tags: [torch.decomposition, torch.dynamic-shape]
requires: [attention]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, query, key_value):
        key, value = key_value.chunk(2, dim=-1)  # one tensor: both always have one length
        return torch.nn.functional.scaled_dot_product_attention(query, key, value)


n = Dim("n", min=2, max=12)
dynamic_shapes = {"query": {2: n}, "key_value": {2: n}}


def inputs(n=5):
    return torch.randn(2, 3, n, 8), torch.randn(2, 3, n, 16)
