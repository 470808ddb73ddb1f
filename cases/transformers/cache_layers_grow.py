"""
title: Key-value cache whose layers grow, returned by the model
description: >
  A decoder step appends its keys and values to every layer of the cache and returns the longer
  cache. The class is registered, so dynamic_shapes lists the tensors in the order in which they
  are flattened; all of them have one length, and the new length is one more.
tags: [torch.attention, python.dataclass, torch.dynamic-shape, torch.shared-dim]
references: [pytorch#136582, pytorch#148748]
"""

from dataclasses import dataclass

import torch
from torch.export import Dim


@dataclass
class Cache:
    keys: list[torch.Tensor]
    values: list[torch.Tensor]


torch.export.register_dataclass(Cache, serialized_type_name="exportdb.cache_layers_grow.Cache")


class Model(torch.nn.Module):
    def forward(self, x, cache):
        grown = Cache([], [])
        for keys, values in zip(cache.keys, cache.values):
            grown.keys.append(torch.cat([keys, x.sin()], dim=1))
            grown.values.append(torch.cat([values, x.cos()], dim=1))
            weights = (x @ grown.keys[-1].mT).softmax(-1)
            x = x + weights @ grown.values[-1]
        return x, grown


layers = [{1: Dim("past", min=2, max=16)}] * 2
dynamic_shapes = {"x": None, "cache": [layers, layers]}


def inputs(past=5):
    past_of_layer = [torch.randn(2, past, 3) for _ in range(4)]
    return torch.randn(2, 1, 3), Cache(past_of_layer[:2], past_of_layer[2:])
