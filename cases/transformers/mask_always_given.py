"""
title: Padding mask given whether or not it hides anything
description: >
  A mask whose elements are all true changes nothing, so it can always be given, and no question has
  to be asked of its values.
tags: [torch.attention]
requires: [attention]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x, tokens):
        mask = tokens[:, None, None]
        return torch.nn.functional.scaled_dot_product_attention(x, x, x, attn_mask=mask)


def inputs():
    tokens = torch.tensor([[True, True, True, True, False], [True, True, False, False, False]])
    return torch.randn(2, 3, 5, 4), tokens


def accepts():
    yield torch.randn(2, 3, 5, 4), torch.ones(2, 5, dtype=torch.bool)
