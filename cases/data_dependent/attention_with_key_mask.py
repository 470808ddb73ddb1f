"""
title: Attention with a mask for dropped tokens
description: >
  All tokens stay. A mask keeps the dropped ones from being attended to, and their own rows are
  left out of the sum.
tags: [torch.operator]
requires: [attention]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x, keep):
        q = x[None, None]
        y = torch.nn.functional.scaled_dot_product_attention(q, q, q, attn_mask=keep[None, :])
        return torch.where(keep[:, None], y[0, 0], 0.0).sum(0)


def inputs():
    return torch.randn(7, 4), torch.tensor([1, 1, 0, 1, 1, 0, 1]) == 1


def accepts():
    yield torch.randn(7, 4), torch.arange(7) == 3
    yield torch.randn(7, 4), torch.arange(7) < 2
    yield torch.randn(7, 4), torch.ones(7, dtype=torch.bool)
