"""
title: Attention over the tokens that a mask keeps
description: >
  Padding is dropped with a mask before the attention, so the number of queries and keys is a size
  that only the data knows, in every matrix of the computation.
tags: [torch.data-dependent-shape, torch.unbacked-symbol]
requires: [values, attention]
references: [pytorch#180202]
rewrites: [data_dependent/attention_with_key_mask]
errors: [E0001]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x, keep):
        kept = x[keep].unsqueeze(0).unsqueeze(0)
        y = torch.nn.functional.scaled_dot_product_attention(kept, kept, kept)
        return y[0, 0].sum(0)


def inputs():
    return torch.randn(7, 4), torch.tensor([1, 1, 0, 1, 1, 0, 1]) == 1


def accepts():
    yield torch.randn(7, 4), torch.arange(7) == 3
    yield torch.randn(7, 4), torch.arange(7) < 2
    yield torch.randn(7, 4), torch.ones(7, dtype=torch.bool)
