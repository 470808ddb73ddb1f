"""
title: dynamic_shapes for a registered class, written as a list of its fields
description: >
  The specification has the structure that the class is flattened to: a list with one entry for
  each field, in the order of the dataclass.
tags: [python.pytree, python.dataclass, torch.dynamic-shape]
references: [pytorch#142161]
"""

from dataclasses import dataclass

import torch
from torch.export import Dim


@dataclass
class Cache:
    keys: torch.Tensor
    values: torch.Tensor


torch.export.register_dataclass(
    Cache, serialized_type_name="exportdb.cache_specified_by_position.Cache"
)


class Model(torch.nn.Module):
    def forward(self, x, cache):
        return (x @ cache.keys.T).softmax(-1) @ cache.values


past = Dim("past", min=2, max=16)
dynamic_shapes = {"x": None, "cache": [{0: past}, {0: past}]}


def inputs(past=5):
    return torch.randn(2, 3), Cache(torch.randn(past, 3), torch.randn(past, 3))
