"""
title: Causal mask made by nested vmap over an index function
description: >
  A function says for one query and one key whether the query may look at the key; two vmaps turn
  it into the matrix. The function sees single indices, and both lengths are dynamic.
tags: [torch.attention, torch.functional-transform, torch.dynamic-shape]
rewrites: [transformers/causal_mask_arange]
references: [huggingface/transformers#42721, pytorch#174063]
"""

import torch
from torch.export import Dim


def causal(query, key):
    return key <= query


class Model(torch.nn.Module):
    def forward(self, scores):
        visible = torch.vmap(torch.vmap(causal, in_dims=(None, 0)), in_dims=(0, None))
        mask = visible(torch.arange(scores.shape[1]), torch.arange(scores.shape[2]))
        return scores.masked_fill(~mask, -1e9).softmax(-1)


dynamic_shapes = {"scores": {1: Dim("queries", min=1, max=16), 2: Dim("keys", min=1, max=16)}}


def inputs(queries=5, keys=7):
    return (torch.randn(3, queries, keys),)
