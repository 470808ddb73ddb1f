"""
title: flex_attention with a block mask made in forward
description: >
  The mask function is turned into a table of the blocks that have anything to compute, here for
  documents packed into one sequence: a token attends to the earlier ones of its own document. The
  table depends on data and is made anew in each call.
tags: [torch.operator, python.closure]
requires: [values, flex-attention]
"""

import torch
from torch.nn.attention.flex_attention import create_block_mask, flex_attention


class Model(torch.nn.Module):
    def forward(self, query, key, value, document):
        def same_and_earlier(batch, head, i, j):
            return (i >= j) & (document[i] == document[j])

        size = query.shape[2]
        mask = create_block_mask(same_and_earlier, None, None, size, size, device=query.device)
        return flex_attention(query, key, value, block_mask=mask)


def inputs():
    document = torch.tensor([0] * 50 + [1] * 90)
    return *(torch.randn(1, 2, 140, 4) for _ in range(3)), document


def accepts():
    document = torch.tensor([0] * 9 + [1] * 60 + [2] * 71)
    yield *(torch.randn(1, 2, 140, 4) for _ in range(3)), document
