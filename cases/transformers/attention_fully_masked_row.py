"""
title: scaled_dot_product_attention with a query that may look at no key
description: >
  A row of padding has a mask without a single true element. The softmax over nothing but minus
  infinity is NaN; the operator has a meaning of its own for such rows, and an exporter that spells
  it out as matmul and softmax has to keep that meaning.
tags: [torch.attention, torch.decomposition]
requires: [attention]
references: [pytorch#103963, pytorch#103749]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x, mask):
        return torch.nn.functional.scaled_dot_product_attention(x, x, x, attn_mask=mask)


def inputs():
    return torch.randn(2, 3, 5, 4), torch.rand(5, 5) > 0.2


def accepts():
    mask = torch.ones(5, 5, dtype=torch.bool)
    mask[2] = False
    yield torch.randn(2, 3, 5, 4), mask
    yield torch.randn(2, 3, 5, 4), torch.zeros(5, 5, dtype=torch.bool)
