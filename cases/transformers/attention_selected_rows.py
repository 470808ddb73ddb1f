"""
title: Attention over the rows of a batch that a mask selects
description: >
  Only the sequences that are still active are attended to. How many there are depends on data, so
  the batch size of the attention is a size that no input has; it may be 0.
tags: [torch.attention, torch.unbacked-symbol, torch.data-dependent-shape]
requires: [attention, values]
rewrites: [transformers/attention_all_rows]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x, active):
        rows = x[active]
        y = torch.nn.functional.scaled_dot_product_attention(rows, rows, rows)
        return x.masked_scatter(active[:, None, None, None], y)


def inputs():
    return torch.randn(4, 2, 5, 3), torch.tensor([True, False, True, True])


def accepts():
    yield torch.randn(4, 2, 5, 3), torch.tensor([True, True, True, True])
    yield torch.randn(4, 2, 5, 3), torch.tensor([False, True, False, False])
    yield torch.randn(4, 2, 5, 3), torch.tensor([False, False, False, False])
