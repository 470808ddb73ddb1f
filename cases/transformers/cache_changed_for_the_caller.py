"""
title: Key-value cache object updated in the caller's hands
description: >
  The model replaces the tensors in the cache object that it is given, so the caller finds longer
  layers in its own object. A graph has tensors but no objects: replacing an element of a list is
  no operator. The rewrite returns a new cache and leaves the caller's alone.
tags: [torch.attention, python.dataclass, torch.mutation]
rewrites: [transformers/cache_returned]
pitfalls: [mutation/element_of_input_list_replaced]
references: [pytorch#136582]
"""

from dataclasses import dataclass

import torch
from torch.export import Dim


@dataclass
class Cache:
    keys: list[torch.Tensor]


torch.export.register_dataclass(
    Cache, serialized_type_name="exportdb.cache_changed_for_the_caller.Cache"
)


class Model(torch.nn.Module):
    def forward(self, x, cache):
        for layer in range(len(cache.keys)):
            cache.keys[layer] = torch.cat([cache.keys[layer], x], dim=1)
            x = x + cache.keys[layer].mean(1, keepdim=True)
        return x, list(cache.keys)


dynamic_shapes = {"x": None, "cache": [[{1: Dim("past", min=2, max=16)}] * 2]}


def inputs(past=5):
    return torch.randn(2, 1, 3), Cache([torch.randn(2, past, 3), torch.randn(2, past, 3)])
