"""
title: Cache of fixed length given as an input and written at the position of the token
description: >
  The caller owns tensors of the full length and passes them with the position of the current
  token; the model writes one row of each with index_copy_ and attends to the rows up to there.
  The written rows have to be in the caller's tensors afterwards, and the position is data.
tags: [torch.attention, torch.mutation, python.dataclass]
references: [pytorch#155862, huggingface/transformers#39931]
dims: {position: {min: 0, max: 7}}
"""

from dataclasses import dataclass

import torch


@dataclass
class StaticCache:
    keys: torch.Tensor
    values: torch.Tensor


torch.export.register_dataclass(
    StaticCache, serialized_type_name="exportdb.static_cache_as_input.StaticCache"
)


class Model(torch.nn.Module):
    def forward(self, x, position, cache):
        cache.keys.index_copy_(0, position, x.sin())
        cache.values.index_copy_(0, position, x.cos())
        scores = x @ cache.keys.T
        later = torch.arange(cache.keys.shape[0]) > position
        return scores.masked_fill(later, -torch.inf).softmax(-1) @ cache.values


def inputs(position=5):
    cache = StaticCache(torch.randn(8, 3), torch.randn(8, 3))
    return torch.randn(1, 3), torch.tensor([position]), cache


def rejects():
    cache = StaticCache(torch.randn(8, 3), torch.randn(8, 3))
    yield torch.randn(1, 3), torch.tensor([8]), cache
