"""
title: Key-value cache that is returned instead of updated in place
description: >
  The model reads the cache it is given and returns the longer layers; storing them is left to the
  caller. Every change of state is an output of the graph.
tags: [torch.attention, python.dataclass]
references: [pytorch#136582]
"""

from dataclasses import dataclass

import torch
from torch.export import Dim


@dataclass
class Cache:
    keys: list[torch.Tensor]


torch.export.register_dataclass(Cache, serialized_type_name="exportdb.cache_returned.Cache")


class Model(torch.nn.Module):
    def forward(self, x, cache):
        grown = []
        for keys in cache.keys:
            grown.append(torch.cat([keys, x], dim=1))
            x = x + grown[-1].mean(1, keepdim=True)
        return x, grown


dynamic_shapes = {"x": None, "cache": [[{1: Dim("past", min=2, max=16)}] * 2]}


def inputs(past=5):
    return torch.randn(2, 1, 3), Cache([torch.randn(2, past, 3), torch.randn(2, past, 3)])
