"""
title: Padding mask left out when all of it is true
description: >
  If no token is padding the mask is not needed, and attention without a mask is faster. Whether all
  elements are true is data, and Python has to know it. The rewrite always gives the mask.
tags: [torch.attention, torch.item, python.control-flow]
requires: [attention, values]
rewrites: [transformers/mask_always_given]
pitfalls: [inputs/optional_left_out, data_dependent/branch_on_item]
errors: [E0001, E0005]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x, tokens):
        mask = None if tokens.all() else tokens[:, None, None]
        return torch.nn.functional.scaled_dot_product_attention(x, x, x, attn_mask=mask)


def inputs():
    tokens = torch.tensor([[True, True, True, True, False], [True, True, False, False, False]])
    return torch.randn(2, 3, 5, 4), tokens


def accepts():
    yield torch.randn(2, 3, 5, 4), torch.ones(2, 5, dtype=torch.bool)
    yield torch.randn(2, 3, 5, 4), torch.tensor([[True] * 5, [True] + [False] * 4])
