"""
title: Static cache filled by a prompt of any length, then token by token
description: >
  The cache is a buffer of sixteen places. The new keys are written to the places that a tensor of
  positions names, many for a prompt and one for a step, and a mask hides all later places. The
  number of new tokens is dynamic and may be 1.
tags: [torch.attention, torch.mutation, torch.buffer, torch.dynamic-shape]
requires: [attention]
references: [pytorch#155862, huggingface/transformers#39931]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("keys", torch.zeros(1, 2, 16, 3))

    def forward(self, x, positions):
        self.keys.index_copy_(2, positions, x)
        mask = torch.arange(16) <= positions[:, None]
        attention = torch.nn.functional.scaled_dot_product_attention
        return attention(x, self.keys, self.keys, attn_mask=mask)


n = Dim("n", min=1, max=12)
dynamic_shapes = {"x": {2: n}, "positions": {0: n}}


def inputs(n=5):
    return torch.randn(1, 2, n, 3), torch.arange(n) + 4


def accepts():
    yield torch.randn(1, 2, 1, 3), torch.tensor([15])


def rejects():
    yield torch.randn(1, 2, 5, 3), torch.tensor([0, 1, 2, 3, 16])
