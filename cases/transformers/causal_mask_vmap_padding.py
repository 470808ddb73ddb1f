"""
title: Mask made by nested vmap that looks up a padding mask
description: >
  The index function reads padding[row, key] with the indices that vmap gives it, which are tensors
  of no dimensions. Indexing with such tensors may ask for their values, which do not exist under
  vmap. The rewrite broadcasts the padding mask.
tags: [torch.attention, torch.functional-transform, torch.dynamic-shape]
rewrites: [transformers/causal_mask_arange_padding]
references: [huggingface/transformers#42721, pytorch#174063]
errors: [E0422]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, scores, padding):
        def visible(row, query, key):
            return (key <= query) & padding[row, key]

        over_keys = torch.vmap(visible, in_dims=(None, None, 0))
        over_queries = torch.vmap(over_keys, in_dims=(None, 0, None))
        over_rows = torch.vmap(over_queries, in_dims=(0, None, None))
        rows, queries, keys = (torch.arange(size) for size in scores.shape)
        return scores.masked_fill(~over_rows(rows, queries, keys), -1e9).softmax(-1)


keys = Dim("keys", min=1, max=16)
dynamic_shapes = {"scores": {2: keys}, "padding": {1: keys}}


def inputs(keys=7):
    return torch.randn(3, 4, keys), torch.rand(3, keys) > 0.3
